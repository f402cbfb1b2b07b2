package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.array.ArrayCellWriter;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Executes one random history on a tablet and on the model: all kinds of writes by several clients,
 * retries of requests whose response was lost, transactions, checkpoints and compactions with
 * concurrent writes, schema changes, file errors, restarts and crashes. After each fault and at the
 * end, both must have the same rows at every snapshot.
 */
final class TabletHistory {
  private static final int MAX_CELL_BYTES = 64;
  private static final int MAX_KEY_BYTES = 24;
  private static final int CLIENTS = 3;
  private static final DataType[] ADDED = {
    DataType.INT16,
    DataType.STRING,
    DataType.DOUBLE,
    DataType.BOOL,
    DataType.DECIMAL128,
    DataType.NESTED
  };
  private static final OperationType[] KINDS = {
    OperationType.INSERT,
    OperationType.INSERT_IGNORE,
    OperationType.UPSERT,
    OperationType.UPSERT_IGNORE,
    OperationType.UPDATE,
    OperationType.UPDATE_IGNORE,
    OperationType.DELETE,
    OperationType.DELETE_IGNORE
  };

  /** The sizes of the tablet's pages, batches and rowsets. */
  enum Circumstances {
    /** Random sizes, some of them tiny. */
    MIXED,
    /** Batches of one row, pages of 64 bytes, rowsets of 4 KB, and a flush after every write. */
    HOSTILE
  }

  /** A request as its client remembers it, to be sent again. */
  private record Sent(RequestId id, long transaction, Schema admitted, List<List<RowOp>> pieces) {}

  /** An open scan, and the rows that it must return whenever it is read. */
  private record OpenScan(TabletScanner scanner, Schema schema, List<String> expected) {}

  private static final class Client {
    final TreeMap<Long, Sent> waiting = new TreeMap<>();
    long nextSequence = 1;
  }

  private final Random random;
  private final String name;
  private final boolean hostile;
  private final boolean numbered;
  private final boolean wide;
  private final int keySpace;
  private final Schema firstSchema;
  private final List<Schema> schemas = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  /** The open transactions; the commit timestamp of those that are prepared, else 0. */
  private final TreeMap<Long, Long> transactions = new TreeMap<>();

  private final List<OpenScan> openScans = new ArrayList<>();
  private final TabletOptions options;
  private final TabletModel model;
  private TabletHarness harness;
  private long mark;
  private long nextTransaction;
  private int nextColumnId;
  private int nextIndexId;
  private int nextName;
  private int operations;

  TabletHistory(long seed, Circumstances circumstances) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L); // consecutive seeds must differ
    this.name = circumstances + ", seed " + seed;
    this.hostile = circumstances == Circumstances.HOSTILE;
    this.numbered = random.nextInt(4) == 0;
    this.wide = random.nextInt(4) == 0;
    this.keySpace = 4 + random.nextInt(wide && !hostile ? 1500 : 120);
    this.firstSchema = firstSchema();
    this.nextColumnId = firstSchema.columnCount();
    this.options =
        hostile
            ? new TabletOptions(64, 4 << 10, 1, 1 << 12, MAX_CELL_BYTES, MAX_KEY_BYTES)
            : new TabletOptions(
                random.nextBoolean() ? 64 : 4096,
                random.nextBoolean() ? 1024 : 1 << 20,
                new int[] {1, 3, 64}[random.nextInt(3)],
                1 << 12,
                MAX_CELL_BYTES,
                MAX_KEY_BYTES);
    this.model = new TabletModel(firstSchema, MAX_CELL_BYTES, MAX_KEY_BYTES);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client());
    }
  }

  private Schema firstSchema() {
    ColumnSchema.Builder second =
        numbered
            ? ColumnSchema.builder("number", DataType.INT64).autoIncrementing(true)
            : ColumnSchema.builder("name", DataType.STRING);
    return new Schema(
        List.of(
            ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
            second.id(1).key(true).build(),
            ColumnSchema.builder("required", DataType.INT64).id(2).build(),
            ColumnSchema.builder("text", DataType.STRING).id(3).nullable(true).build(),
            ColumnSchema.builder("filled", DataType.DOUBLE)
                .id(4)
                .writeDefault(new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x3f})
                .build(),
            ColumnSchema.builder("fixed", DataType.INT32)
                .id(5)
                .nullable(true)
                .immutable(true)
                .build()));
  }

  /** Row operations sent, retries included. */
  int operations() {
    return operations;
  }

  void run(int steps) throws IOException {
    try (TabletHarness opened = new TabletHarness(firstSchema, options)) {
      harness = opened;
      if (random.nextBoolean()) {
        alterEpochs();
      }
      try {
        for (int i = 0; i < steps; i++) {
          step();
        }
        verify();
      } finally {
        harness.atCrashPoint(null);
        closeScans();
      }
    } catch (RuntimeException | Error | IOException e) {
      throw new AssertionError(name + ": " + e, e);
    }
  }

  private void step() throws IOException {
    int kind = random.nextInt(104);
    if (kind >= 100) {
      transactionStep();
    } else if (kind < 60) {
      writeStep();
      flushIfHostile();
    } else if (kind < 69) {
      retryStep();
      flushIfHostile();
    } else if (kind < 76) {
      changeStep();
    } else if (kind < 80) {
      changeWithCrash();
    } else if (kind < 82) {
      changeWithFailure();
    } else if (kind < 83) {
      readWithFailure();
    } else if (kind < 84) {
      writeWithFailure();
    } else if (kind < 85) {
      crash();
    } else if (kind < 86) {
      restart();
    } else if (kind < 89) {
      alter();
    } else if (kind < 90) {
      if (random.nextBoolean()) {
        alterIndexes();
      } else {
        alterEpochs();
      }
    } else if (kind < 91) {
      harness.appendNothing();
    } else if (kind < 94) {
      openScan();
    } else if (kind < 95) {
      compareDiff();
    } else if (kind < 96) {
      compareChanges();
    } else if (kind < 97) {
      readAncient();
    } else if (kind < 98) {
      advanceMark();
    } else {
      compareAt(randomSnapshot());
    }
  }

  private void flushIfHostile() throws IOException {
    if (hostile) {
      harness.tablet().flush();
    }
  }

  // Transactions

  /** Prepares, commits or aborts a transaction. */
  private void transactionStep() {
    makeRoom();
    if (transactions.isEmpty()) {
      return;
    }
    List<Long> open = new ArrayList<>(transactions.keySet());
    long id = open.get(random.nextInt(open.size()));
    if (random.nextInt(4) == 0) {
      abort(transactions.get(id) == 0 ? id : firstToCommit());
    } else if (transactions.get(id) == 0) {
      long timestamp = harness.nextTimestamp() + 1 + random.nextInt(100);
      if (!transactions.containsValue(timestamp)) {
        model.prepare(id);
        assertThat(harness.prepare(id, timestamp).get(0).errors()).isEmpty();
        transactions.put(id, timestamp);
      }
    } else {
      commit(firstToCommit());
    }
  }

  private void abort(long id) {
    long timestamp = transactions.remove(id);
    model.abort(id);
    harness.abort(id, timestamp);
  }

  private void commit(long id) {
    long timestamp = transactions.remove(id);
    model.commit(id, timestamp);
    harness.commit(id, timestamp);
  }

  /** The prepared transaction with the lowest commit timestamp; -1 if none is prepared. */
  private long firstToCommit() {
    return transactions.entrySet().stream()
        .filter(transaction -> transaction.getValue() > 0)
        .min(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(-1L);
  }

  /** No entry gets a timestamp from that of a prepared transaction on. */
  private void makeRoom() {
    for (long first = firstToCommit();
        first >= 0 && transactions.get(first) < harness.nextTimestamp() + 20;
        first = firstToCommit()) {
      if (random.nextInt(3) == 0) {
        abort(first);
      } else {
        commit(first);
      }
    }
  }

  /** The transaction of a new request: none, an open one, or a new one. */
  private long anyTransaction() {
    if (random.nextInt(3) > 0) {
      return WriteRequest.NO_TRANSACTION;
    }
    List<Long> open = new ArrayList<>(transactions.keySet());
    if (open.size() < 3 && random.nextInt(3) == 0) {
      transactions.put(nextTransaction, 0L);
      return nextTransaction++;
    }
    return open.isEmpty() ? WriteRequest.NO_TRANSACTION : open.get(random.nextInt(open.size()));
  }

  // Writes

  private void writeStep() {
    makeRoom();
    List<WriteRequest> entry = new ArrayList<>();
    List<Runnable> onModel = new ArrayList<>();
    List<RequestResult> expected = new ArrayList<>();
    int requests = random.nextInt(5) == 0 ? 1 + random.nextInt(4) : 1;
    long timestamp = harness.nextTimestamp();
    for (int k = 0; k < requests; k++) {
      Sent sent = newRequest();
      if (sent.pieces().size() > 1) {
        flushEntry(entry, onModel, expected);
        sendAll(sent);
        timestamp = harness.nextTimestamp();
        k = requests;
      } else {
        long at = timestamp++;
        entry.add(request(sent, 0));
        onModel.add(() -> expected.add(applyToModel(sent, 0, at)));
        mayAnswer(sent);
      }
    }
    flushEntry(entry, onModel, expected);
  }

  private void flushEntry(
      List<WriteRequest> entry, List<Runnable> onModel, List<RequestResult> expected) {
    if (!entry.isEmpty()) {
      onModel.forEach(Runnable::run);
      compare(harness.write(entry), expected);
    }
    entry.clear();
    onModel.clear();
    expected.clear();
    harness.advanceClock(random.nextInt(3));
  }

  private void sendAll(Sent sent) {
    makeRoom();
    for (int piece = 0; piece < sent.pieces().size(); piece++) {
      if (send(sent, piece)) {
        return; // a transaction holds a key; the leader logs the request again
      }
      if (random.nextInt(6) == 0) {
        return; // the leader fails in the middle; the client repeats the whole request
      }
    }
    mayAnswer(sent);
  }

  /** Returns whether the piece was blocked. */
  private boolean send(Sent sent, int piece) {
    RequestResult expected = applyToModel(sent, piece, harness.nextTimestamp());
    compare(harness.write(List.of(request(sent, piece))), List.of(expected));
    return expected.isBlocked();
  }

  private RequestResult applyToModel(Sent sent, int piece, long timestamp) {
    List<RowOp> rows = sent.pieces().get(piece);
    operations += rows.size();
    int pieces = sent.pieces().size();
    return model.apply(sent.id(), sent.transaction(), piece, pieces, rows, timestamp);
  }

  private static WriteRequest request(Sent sent, int piece) {
    return RowOp.request(
        sent.id(),
        sent.transaction(),
        piece,
        sent.pieces().size(),
        sent.admitted(),
        sent.pieces().get(piece));
  }

  private void mayAnswer(Sent sent) {
    if (sent.id() != null && random.nextInt(10) < 7) {
      client(sent.id()).waiting.remove(sent.id().sequence());
    }
  }

  private Client client(RequestId id) {
    return clients.get(id.clientId().charAt(0) - 'a');
  }

  /**
   * Retries a request whose response was lost; rarely one that the client has given up, which must
   * be rejected.
   */
  private void retryStep() {
    int which = random.nextInt(CLIENTS);
    Client client = clients.get(which);
    if (client.waiting.isEmpty()) {
      writeStep();
      return;
    }
    List<Sent> waiting = new ArrayList<>(client.waiting.values());
    Sent lost = waiting.get(random.nextInt(waiting.size()));
    long firstIncomplete = client.waiting.firstKey();
    if (random.nextInt(10) == 0) {
      client.waiting.remove(lost.id().sequence());
      firstIncomplete = lost.id().sequence() + 1; // known to the tablet by another request
      sendAll(newRequestOf(which, firstIncomplete));
    }
    RequestId id = new RequestId(lost.id().clientId(), lost.id().sequence(), firstIncomplete);
    sendAll(new Sent(id, lost.transaction(), lost.admitted(), lost.pieces()));
  }

  private Sent newRequest() {
    if (random.nextInt(8) == 0) {
      return new Sent(null, anyTransaction(), admitted(), List.of(newRows()));
    }
    int which = random.nextInt(CLIENTS);
    Client client = clients.get(which);
    long first = client.waiting.isEmpty() ? client.nextSequence : client.waiting.firstKey();
    return newRequestOf(which, first);
  }

  private Sent newRequestOf(int which, long firstIncomplete) {
    Client client = clients.get(which);
    long sequence = client.nextSequence++;
    RequestId id = new RequestId(String.valueOf((char) ('a' + which)), sequence, firstIncomplete);
    admittedNow = admitted();
    int pieces = random.nextInt(10) == 0 ? 2 + random.nextInt(3) : 1;
    List<List<RowOp>> rows = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      rows.add(newRows());
    }
    Sent sent = new Sent(id, anyTransaction(), admittedNow, rows);
    client.waiting.put(sequence, sent);
    return sent;
  }

  private Schema admittedNow;

  /**
   * Mostly the current schema, sometimes an earlier one that was valid when the request was
   * admitted.
   */
  private Schema admitted() {
    boolean old = !schemas.isEmpty() && random.nextInt(10) == 0;
    admittedNow = old ? schemas.get(schemas.size() - 1) : model.schema();
    return admittedNow;
  }

  private List<RowOp> newRows() {
    List<RowOp> rows = new ArrayList<>();
    int max = random.nextInt(8) == 0 ? 20 : 5;
    int count = 1 + random.nextInt(wide ? 5 * max : max);
    for (int i = 0; i < count; i++) {
      rows.add(newRow());
    }
    return rows;
  }

  private RowOp newRow() {
    OperationType type = KINDS[random.nextInt(KINDS.length)];
    boolean insert = type == OperationType.INSERT || type == OperationType.INSERT_IGNORE;
    boolean delete = type == OperationType.DELETE || type == OperationType.DELETE_IGNORE;
    Map<Integer, byte[]> cells = new TreeMap<>();
    int key = random.nextInt(keySpace);
    cells.put(0, int32(key % 17 - 4));
    if (numbered) {
      if (!insert || random.nextInt(30) == 0) {
        byte[] number = new byte[8];
        LittleEndian.putLong(number, 0, 1 + random.nextInt(keySpace));
        cells.put(1, number);
      }
    } else {
      int length = random.nextInt(60) == 0 ? MAX_KEY_BYTES : key % 5;
      byte[] text = new byte[length];
      Arrays.fill(text, (byte) (key / 17));
      cells.put(1, text);
    }
    int perMille = delete ? 10 : insert ? 900 : 450;
    for (int i = admittedNow.keyColumnCount(); i < admittedNow.columnCount(); i++) {
      ColumnSchema column = admittedNow.column(i);
      if (random.nextInt(1000) < (column.isImmutable() && !insert ? perMille / 4 : perMille)) {
        boolean isNull = column.isNullable() && random.nextInt(4) == 0;
        cells.put(column.id(), isNull ? null : cell(column.type()));
      }
    }
    if (random.nextInt(80) == 0) {
      cells.remove(0);
    }
    return new RowOp(type, cells);
  }

  private byte[] cell(DataType type) {
    if (type == DataType.NESTED) {
      return array();
    }
    if (type.isVariableLength()) {
      byte[] text = new byte[random.nextInt(50) == 0 ? MAX_CELL_BYTES + 1 : random.nextInt(9)];
      Arrays.fill(text, (byte) ('a' + random.nextInt(26)));
      return text;
    }
    byte[] cell = new byte[type.width()];
    if (type == DataType.BOOL) {
      cell[0] = (byte) random.nextInt(2);
    } else {
      random.nextBytes(cell);
    }
    return cell;
  }

  /** An array of bytes with NULLs; sometimes too large for a cell. */
  private byte[] array() {
    byte[] values = new byte[random.nextInt(50) == 0 ? MAX_CELL_BYTES : random.nextInt(5)];
    boolean[] valid = new boolean[values.length];
    random.nextBytes(values);
    for (int i = 0; i < valid.length; i++) {
      valid[i] = random.nextInt(3) > 0;
    }
    return ArrayCellWriter.write(DataType.INT8, values, valid);
  }

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  private void compare(List<RequestResult> found, List<RequestResult> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      assertThat(withoutMessages(found.get(i))).isEqualTo(withoutMessages(expected.get(i)));
    }
  }

  private static RequestResult withoutMessages(RequestResult result) {
    List<RowFailure> errors =
        result.errors().stream().map(e -> new RowFailure(e.row(), e.code(), "")).toList();
    return new RequestResult(result.timestamp(), errors, result.counts(), result.blockedBy());
  }

  // Schema

  private void alter() {
    makeRoom();
    schemas.add(model.schema());
    List<ColumnSchema> columns = new ArrayList<>(model.schema().columns());
    int keys = model.schema().keyColumnCount();
    int last = columns.size() - 1;
    switch (random.nextInt(5)) {
      case 4 -> changeDefault(columns, keys + random.nextInt(columns.size() - keys));
      case 0 -> columns.remove(keys + random.nextInt(columns.size() - keys));
      case 1 ->
          columns.set(last, columns.get(last).toBuilder().name("renamed" + nextName++).build());
      default -> columns.add(newColumn());
    }
    if (columns.size() == keys) {
      columns.add(newColumn());
    }
    Schema schema = new Schema(columns);
    model.alter(schema);
    harness.alter(schema, "table" + random.nextInt(9));
  }

  /** Sets or removes the default of new rows. */
  private void changeDefault(List<ColumnSchema> columns, int index) {
    ColumnSchema column = columns.get(index);
    byte[] cell = random.nextInt(3) == 0 ? null : fittingCell(column.type());
    columns.set(index, column.toBuilder().writeDefault(cell).build());
  }

  private byte[] fittingCell(DataType type) {
    return type.isVariableLength() && type != DataType.NESTED
        ? new byte[] {'e', (byte) random.nextInt(100)}
        : type == DataType.NESTED ? null : cell(type);
  }

  /** Creates and drops indexes; the files of rowsets follow with later changes of the store. */
  private void alterIndexes() {
    makeRoom();
    List<IndexDefinition> indexes = IndexedScans.randomIndexes(random, model.schema(), nextIndexId);
    nextIndexId += indexes.size();
    harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
  }

  private void alterEpochs() {
    makeRoom();
    long length = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(80);
    harness.attribute(TabletDescriptor.EPOCHS, new Epochs(length).toBytes());
  }

  private ColumnSchema newColumn() {
    int id = nextColumnId++;
    DataType type = ADDED[id % ADDED.length];
    if (type == DataType.NESTED) {
      return ColumnSchema.arrayBuilder("added" + id, DataType.INT8).id(id).nullable(true).build();
    }
    ColumnSchema.Builder column = ColumnSchema.builder("added" + id, type).id(id);
    boolean nullable = random.nextBoolean();
    column.nullable(nullable);
    if (!nullable || random.nextBoolean()) {
      byte[] cell = type.isVariableLength() ? new byte[] {'d'} : cell(type);
      column.readDefault(cell);
      if (random.nextBoolean()) {
        column.writeDefault(cell);
      }
    }
    return column.build();
  }

  // Flushes and troubles

  /** Runs a checkpoint, a candidate task of the tablet, or a compaction of a random kind. */
  private void changeStore() throws IOException {
    switch (random.nextInt(15)) {
      case 0, 1 -> harness.tablet().flush();
      case 2, 3 -> harness.tablet().flushEpoch();
      case 4, 5 -> compactSome();
      case 6, 7 -> runTasks();
      case 8, 9 -> mergeDeltas();
      case 10, 11 -> rewriteColumns();
      case 12 -> harness.tablet().maintenance().dropHistory(mark);
      case 13 -> harness.tablet().maintenance().buildIndexes();
      default -> harness.tablet().maintenance().compactFully(mark);
    }
  }

  /** Merges random adjacent files, also files that no policy would choose. */
  private void mergeDeltas() throws IOException {
    DeltaFileWriter.Kind kind =
        random.nextInt(3) > 0 ? DeltaFileWriter.Kind.REDO : DeltaFileWriter.Kind.UNDO;
    Map<Long, Integer> files = new TreeMap<>();
    Components now = harness.tablet().pinComponents();
    for (DiskRowSet rowSet : now.rowSets()) {
      boolean redo = kind == DeltaFileWriter.Kind.REDO;
      files.put(rowSet.id(), (redo ? rowSet.redoFiles() : rowSet.undoFiles()).size());
    }
    now.unpin();
    for (Map.Entry<Long, Integer> rowSet : files.entrySet()) {
      int first = random.nextInt(rowSet.getValue() + 1);
      int count = random.nextInt(rowSet.getValue() - first + 1);
      harness
          .tablet()
          .maintenance()
          .mergeDeltas(rowSet.getKey(), kind, first, count, random.nextBoolean() ? mark : 0);
    }
  }

  /** Rewrites random columns, including columns that are unchanged or dropped. */
  private void rewriteColumns() throws IOException {
    List<Integer> columnIds = new ArrayList<>();
    for (int id = 0; id < nextColumnId; id++) {
      if (random.nextInt(3) == 0) {
        columnIds.add(id);
      }
    }
    for (long id : rowSetIds()) {
      if (random.nextInt(3) > 0) {
        harness
            .tablet()
            .maintenance()
            .rewriteColumns(id, columnIds, random.nextBoolean() ? mark : 0);
      }
    }
  }

  private List<Long> rowSetIds() {
    Components now = harness.tablet().pinComponents();
    try {
      return now.rowSets().stream().map(DiskRowSet::id).toList();
    } finally {
      now.unpin();
    }
  }

  /**
   * Compacts random rowsets, also such as no policy would choose: rowsets in between are left out,
   * and lives of a key stay in different rowsets.
   */
  private void compactSome() throws IOException {
    List<Long> ids = new ArrayList<>(rowSetIds());
    int share = 1 + random.nextInt(4);
    ids.removeIf(id -> random.nextInt(4) >= share);
    harness.tablet().maintenance().compactRowSets(ids, random.nextBoolean() ? mark : 0);
  }

  private void runTasks() throws IOException {
    long budget = random.nextBoolean() ? 1 << 20 : 4096;
    List<MaintenanceTask> tasks = harness.tablet().maintenance().candidates(mark, budget);
    for (MaintenanceTask task : tasks) {
      assertThat(task.description()).isNotEmpty();
      if (random.nextInt(3) > 0) {
        task.run();
      }
    }
  }

  private void advanceMark() {
    long latest = harness.tablet().latestSnapshot();
    mark = Math.max(mark, latest - random.nextLong(Math.max(1, (latest - 980) / 2)));
  }

  private void changeStep() throws IOException {
    int writesLeft = random.nextInt(4);
    String where = randomStep();
    harness.atCrashPoint(
        point -> {
          if (point.equals(where)) {
            for (int i = 0; i < writesLeft; i++) {
              busyStep();
            }
          }
        });
    changeStore();
    harness.atCrashPoint(null);
    compareAt(harness.tablet().latestSnapshot());
  }

  /** A step that runs while files are written. */
  private void busyStep() {
    try {
      switch (random.nextInt(8)) {
        case 0 -> alter();
        case 1 -> retryStep();
        case 2 -> openScan();
        case 3 -> compareAt(randomSnapshot());
        default -> writeStep();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String randomStep() {
    List<String> steps = CheckpointCrashPoints.OF_CHANGE;
    return steps.get(random.nextInt(steps.size()));
  }

  private void changeWithCrash() throws IOException {
    String where = randomStep();
    int writes = random.nextInt(3);
    harness.atCrashPoint(
        point -> {
          if (point.equals(where)) {
            for (int i = 0; i < writes; i++) {
              writeStep();
            }
            throw new SimulatedCrash(point);
          }
        });
    try {
      changeStore();
    } catch (SimulatedCrash expected) {
      // the process is dead
    }
    crash();
  }

  /**
   * File operations fail, or the disk is full. The tablet continues to run, and a later change does
   * the rest.
   */
  private void changeWithFailure() throws IOException {
    if (random.nextInt(3) == 0) {
      harness.files().fillUpAfter(random.nextInt(random.nextBoolean() ? 2000 : 20_000));
    } else {
      failSomeCalls();
    }
    try {
      changeStore();
    } catch (IOException expected) {
      assertThat(expected.getMessage())
          .containsAnyOf("Input/output error", "No space left on device");
    }
    harness.files().failCall(0);
    harness.files().fillUpAfter(Long.MAX_VALUE);
    if (random.nextInt(3) == 0) {
      crash();
    }
    compareAt(harness.tablet().latestSnapshot());
  }

  /**
   * Writes while file operations fail. A replica that cannot read what it needs to apply a write is
   * reopened.
   */
  private void writeWithFailure() throws IOException {
    closeScans();
    failSomeCalls();
    writeStep();
    harness.files().failCall(0);
    compareAt(harness.tablet().latestSnapshot());
  }

  private void failSomeCalls() {
    int first = 1 + random.nextInt(random.nextBoolean() ? 40 : 400);
    harness.files().failCalls(first, random.nextBoolean() ? 1 : 1 + random.nextInt(20));
  }

  /** A scan fails, or returns the right rows; the next scan succeeds. */
  private void readWithFailure() throws IOException {
    long snapshot = randomSnapshot();
    failSomeCalls();
    try {
      compareAt(snapshot);
    } catch (IOException expected) {
      assertThat(expected).hasMessageContaining("Input/output error");
    } catch (KuduException expected) { // the key of the last row cannot be read
      assertThat(expected).hasRootCauseInstanceOf(IOException.class);
    }
    harness.files().failCall(0);
    compareAt(snapshot);
  }

  private void crash() throws IOException {
    closeScans();
    harness.crash(random.nextBoolean() ? random : null);
    if (random.nextInt(8) == 0) {
      TabletChecker.verify(harness.environment());
    }
    compareAt(harness.tablet().latestSnapshot());
    compareAt(randomSnapshot());
  }

  private void restart() throws IOException {
    closeScans();
    if (random.nextBoolean()) {
      harness.tablet().flush();
    }
    if (random.nextBoolean()) {
      harness.restart();
    } else {
      harness.restartFailing(1 + random.nextInt(30), 1 + random.nextInt(3));
    }
    compareAt(randomSnapshot());
  }

  // Reads

  private long randomSnapshot() {
    long latest = harness.tablet().latestSnapshot();
    return random.nextInt(3) == 0 ? latest : snapshotBelow(latest);
  }

  /** A random snapshot up to {@code latest} that can still be read. */
  private long snapshotBelow(long latest) {
    long first = Math.max(990, collectedMark());
    return first + random.nextLong(Math.max(1, latest - first + 1));
  }

  private long collectedMark() {
    return harness.tablet().statistics().ancientHistoryMark();
  }

  private void compareDiff() throws IOException {
    long snapshot = randomSnapshot();
    long start = snapshotBelow(snapshot);
    List<String> read =
        TabletScanText.readDiff(
            harness.tablet(), harness.environment().allocator(), start, snapshot);
    assertThat(read)
        .describedAs("changes from %d to %d", start, snapshot)
        .isEqualTo(model.diff(start, snapshot));
  }

  /** The change feed of any time, read in pieces of any size, has the changes of the model. */
  private void compareChanges() throws IOException {
    long end = randomSnapshot();
    long start = snapshotBelow(end);
    int maxChanges = random.nextBoolean() ? 1 + random.nextInt(5) : 10_000;
    long softLimit = random.nextBoolean() ? 1 + random.nextInt(1000) : 1 << 20;
    List<String> read = readChanges(start, end, maxChanges, softLimit);
    assertThat(read)
        .describedAs("change feed from %d to %d", start, end)
        .isEqualTo(model.changes(start, end));
  }

  private List<String> readChanges(long start, long end, int maxChanges, long softLimit)
      throws IOException {
    return TabletScanText.readChanges(
        harness.tablet(),
        harness.environment().allocator(),
        random,
        start,
        end,
        maxChanges,
        softLimit);
  }

  /** A scan or a change feed below the ancient history mark is rejected. */
  private void readAncient() throws IOException {
    long collected = collectedMark();
    assertThat(collected).isLessThanOrEqualTo(mark);
    if (collected > 0) {
      Schema schema = harness.tablet().schema();
      assertThatThrownBy(
              () -> harness.tablet().scan(TabletScanText.spec(schema, collected - 1)).close())
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("tablet_history_max_age_sec");
      assertThatThrownBy(() -> readChanges(collected - 1, collected + 1, 10, 10))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("tablet_history_max_age_sec");
    }
  }

  private void compareAt(long snapshot) throws IOException {
    List<String> read =
        TabletScanText.read(harness.tablet(), harness.environment().allocator(), snapshot);
    List<String> expected = model.at(snapshot);
    assertThat(read).describedAs("snapshot %d", snapshot).isEqualTo(expected);
    assertThat(TabletScanText.count(harness.tablet(), harness.environment().allocator(), snapshot))
        .describedAs("rows of snapshot %d", snapshot)
        .isEqualTo(expected.size());
    assertThat(harness.tablet().statistics().liveRows()).isEqualTo(model.liveRows());
    if (random.nextInt(3) == 0) {
      IndexedScans.compare(harness.tablet(), harness.environment().allocator(), random, snapshot);
    }
  }

  /** Opens a scan that is read later, after other changes of the tablet. */
  private void openScan() throws IOException {
    if (openScans.size() > 2) {
      closeScans();
    }
    long snapshot = randomSnapshot();
    Schema schema = harness.tablet().schema();
    TabletScanner scanner = harness.tablet().scan(TabletScanText.spec(schema, snapshot));
    openScans.add(new OpenScan(scanner, schema, model.at(snapshot)));
  }

  private void closeScans() throws IOException {
    for (OpenScan scan : openScans) {
      try (TabletScanner scanner = scan.scanner()) {
        assertThat(TabletScanText.drain(scanner, scan.schema(), harness.environment().allocator()))
            .isEqualTo(scan.expected());
      }
    }
    openScans.clear();
  }

  private void verify() throws IOException {
    closeScans();
    compareAt(harness.tablet().latestSnapshot());
    harness.tablet().flush();
    TabletChecker.verify(harness.environment());
    harness.crash(null);
    compareAt(harness.tablet().latestSnapshot());
    for (int i = 0; i < 5; i++) {
      compareAt(randomSnapshot());
      compareDiff();
      compareChanges();
    }
    harness.tablet().maintenance().compactFully(mark);
    assertThat(harness.tablet().statistics().averageHeight()).isLessThan(1.001);
    TabletChecker.verify(harness.environment());
    compareAt(randomSnapshot());
    compareDiff();
    compareChanges();
  }
}
