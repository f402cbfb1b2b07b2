package dev.kudu4j.tablet;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The expected behaviour of a tablet: a sorted map from key to all versions of the row. Slow,
 * obviously right, and written from the rules of the protocol, not from the engine.
 */
final class TabletModel {
  /** The cells of a row from a timestamp on, by column id; null if the row is deleted. */
  private record Version(long timestamp, Map<Integer, byte[]> cells) {}

  /** The result of the pieces of a request that were applied so far. */
  private record Answer(RequestResult result, int pieces, int rows) {}

  private static final class Client {
    final TreeMap<Long, Answer> answers = new TreeMap<>();
    long firstIncomplete = Long.MIN_VALUE;
  }

  /** A row's failure. */
  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;
    private final StatusCode code;

    Failure(StatusCode code) {
      super(null, null, false, false);
      this.code = code;
    }
  }

  /** A row of a transaction, and the schema when it was staged. */
  private record Staged(RowOp op, Schema schema) {}

  /** A transaction that has not ended. */
  private static final class Open {
    /** The keys that it holds; whether the row exists for it. */
    final TreeMap<byte[], Boolean> keys = new TreeMap<>(Arrays::compareUnsigned);

    final List<Staged> staged = new ArrayList<>();
    boolean prepared;
  }

  private final Map<Long, Open> transactions = new HashMap<>();
  private final Set<Long> ended = new HashSet<>();
  private Open staging; // null unless rows are staged
  private final TreeMap<byte[], List<Version>> rows = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<String, Client> clients = new HashMap<>();
  private final int maxCellBytes;
  private final int maxKeyBytes;
  private Schema schema;
  private long counter;
  private int liveRows;
  private int[] counts;

  TabletModel(Schema schema, int maxCellBytes, int maxKeyBytes) {
    this.schema = schema;
    this.maxCellBytes = maxCellBytes;
    this.maxKeyBytes = maxKeyBytes;
  }

  Schema schema() {
    return schema;
  }

  void alter(Schema changed) {
    schema = changed;
  }

  /**
   * Applies a piece of a request; returns the result that the engine must return, without error
   * messages.
   */
  RequestResult apply(
      RequestId id,
      long transaction,
      int piece,
      int pieces,
      List<RowOp> operations,
      long timestamp) {
    if (id == null) {
      return applyNew(transaction, operations, timestamp);
    }
    Client client = clients.computeIfAbsent(id.clientId(), name -> new Client());
    Answer answer = client.answers.get(id.sequence());
    client.firstIncomplete =
        Math.max(client.firstIncomplete, Math.min(id.firstIncomplete(), id.sequence()));
    client.answers.headMap(client.firstIncomplete).clear();
    if (answer != null && piece < answer.pieces()) {
      return answer.result();
    }
    if (answer == null && id.sequence() < client.firstIncomplete) {
      return refused(operations, StatusCode.RUNTIME_ERROR, timestamp);
    }
    RequestResult result = applyNew(transaction, operations, timestamp);
    if (result.isBlocked()) {
      return result;
    }
    if (answer != null) {
      result = merge(answer.result(), answer.rows(), result);
    }
    int before = answer == null ? 0 : answer.rows();
    client.answers.put(id.sequence(), new Answer(result, piece + 1, before + operations.size()));
    return result;
  }

  private RequestResult applyNew(long transaction, List<RowOp> operations, long timestamp) {
    Open open = transactions.get(transaction);
    if (ended.contains(transaction) || (open != null && open.prepared)) {
      return refused(operations, StatusCode.ILLEGAL_STATE, timestamp);
    }
    long holder = holder(transaction, operations);
    if (holder != WriteRequest.NO_TRANSACTION) {
      return RequestResult.blocked(timestamp, holder);
    }
    if (transaction == WriteRequest.NO_TRANSACTION) {
      return applyRows(operations, timestamp);
    }
    staging = transactions.computeIfAbsent(transaction, id -> new Open());
    try {
      boolean numbered = schema.column(schema.keyColumnCount() - 1).isAutoIncrementing();
      return numbered
          ? refused(operations, StatusCode.NOT_SUPPORTED, timestamp)
          : applyRows(operations, timestamp);
    } finally {
      staging = null;
    }
  }

  /** The other transaction that holds the first key that is held. */
  private long holder(long transaction, List<RowOp> operations) {
    for (RowOp op : operations) {
      try {
        Map<Integer, byte[]> set = present(op);
        number(set, op.type().name().startsWith("INSERT"));
        byte[] key = key(set);
        for (Map.Entry<Long, Open> other : transactions.entrySet()) {
          if (other.getKey() != transaction && other.getValue().keys.containsKey(key)) {
            return other.getKey();
          }
        }
      } catch (Failure e) {
        // the row fails, and holds no one up
      }
    }
    return WriteRequest.NO_TRANSACTION;
  }

  void prepare(long transaction) {
    transactions.computeIfAbsent(transaction, id -> new Open()).prepared = true;
  }

  void abort(long transaction) {
    transactions.remove(transaction);
    ended.add(transaction);
  }

  /** Applies the staged rows, with the columns that the table has now. */
  void commit(long transaction, long timestamp) {
    Open open = transactions.remove(transaction);
    ended.add(transaction);
    for (Staged staged : open.staged) {
      RowOp op = staged.op;
      Map<Integer, byte[]> set = present(op);
      try {
        byte[] key = key(set);
        Map<Integer, byte[]> present = latest(key);
        String verb = op.type().name().replace("_IGNORE", "");
        boolean ignore = op.type().name().endsWith("_IGNORE");
        if (verb.equals("DELETE")) {
          put(key, timestamp, null);
        } else if (present == null) {
          put(key, timestamp, committedRow(set, staged.schema));
        } else {
          set.keySet().removeIf(id -> ignore && column(id).isImmutable());
          set.keySet().removeIf(id -> column(id).isKey());
          if (!set.isEmpty()) {
            Map<Integer, byte[]> row = new HashMap<>(present);
            row.putAll(set);
            put(key, timestamp, row);
          }
        }
      } catch (Failure e) {
        throw new AssertionError(e);
      }
    }
  }

  private Map<Integer, byte[]> committedRow(Map<Integer, byte[]> set, Schema before) {
    Map<Integer, byte[]> row = new HashMap<>();
    for (ColumnSchema column : schema.columns()) {
      int known = before.indexOfId(column.id());
      byte[] unset = known < 0 ? column.readDefault() : before.column(known).writeDefault();
      row.put(column.id(), set.containsKey(column.id()) ? set.get(column.id()) : unset);
    }
    return row;
  }

  private Map<Integer, byte[]> present(RowOp op) {
    Map<Integer, byte[]> set = new HashMap<>(op.cells());
    set.keySet().removeIf(id -> schema.indexOfId(id) < 0);
    return set;
  }

  private static RequestResult refused(List<RowOp> operations, StatusCode code, long timestamp) {
    List<RowFailure> errors = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      errors.add(new RowFailure(i, code, ""));
    }
    return new RequestResult(timestamp, errors, OutcomeCounts.NONE);
  }

  private static RequestResult merge(RequestResult a, int rowsBefore, RequestResult b) {
    List<RowFailure> errors = new ArrayList<>(a.errors());
    b.errors().forEach(e -> errors.add(new RowFailure(rowsBefore + e.row(), e.code(), "")));
    OutcomeCounts x = a.counts();
    OutcomeCounts y = b.counts();
    return new RequestResult(
        b.timestamp(),
        errors,
        new OutcomeCounts(
            x.successfulInserts() + y.successfulInserts(),
            x.insertIgnoreErrors() + y.insertIgnoreErrors(),
            x.successfulUpserts() + y.successfulUpserts(),
            x.upsertIgnoreErrors() + y.upsertIgnoreErrors(),
            x.successfulUpdates() + y.successfulUpdates(),
            x.updateIgnoreErrors() + y.updateIgnoreErrors(),
            x.successfulDeletes() + y.successfulDeletes(),
            x.deleteIgnoreErrors() + y.deleteIgnoreErrors()));
  }

  private RequestResult applyRows(List<RowOp> operations, long timestamp) {
    counts = new int[8];
    List<RowFailure> errors = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      try {
        applyRow(operations.get(i), timestamp);
      } catch (Failure e) {
        errors.add(new RowFailure(i, e.code, ""));
      }
    }
    return new RequestResult(
        timestamp,
        errors,
        new OutcomeCounts(
            counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6],
            counts[7]));
  }

  private void applyRow(RowOp op, long timestamp) throws Failure {
    Map<Integer, byte[]> set = present(op);
    boolean ignore = op.type().name().endsWith("_IGNORE");
    String verb = op.type().name().replace("_IGNORE", "");
    boolean insert = verb.equals("INSERT");
    boolean numbered = number(set, insert);
    byte[] key = key(set);
    boolean values = set.keySet().stream().anyMatch(id -> !column(id).isKey());
    if (verb.equals("DELETE")) {
      require(!values, StatusCode.INVALID_ARGUMENT);
    } else {
      for (Map.Entry<Integer, byte[]> cell : set.entrySet()) {
        boolean text = column(cell.getKey()).type().isVariableLength();
        require(
            !text || cell.getValue() == null || cell.getValue().length <= maxCellBytes,
            StatusCode.INVALID_ARGUMENT);
      }
    }
    if (verb.equals("UPDATE")) {
      checkUpdate(set, ignore);
    }
    Map<Integer, byte[]> fresh = verb.equals("UPSERT") ? newRow(set) : null;
    boolean exists = exists(key);
    if (insert) {
      Map<Integer, byte[]> row = newRow(set);
      if (!exists) {
        write(op, key, timestamp, row);
        counts[0]++;
        counter = numbered ? counter + 1 : counter;
      } else {
        require(ignore, StatusCode.ALREADY_PRESENT);
        counts[1]++;
      }
    } else if (!exists && verb.equals("UPSERT")) {
      write(op, key, timestamp, fresh);
      counts[2]++;
      raiseCounter(set);
    } else if (!exists) {
      require(ignore, StatusCode.NOT_FOUND);
      counts[verb.equals("UPDATE") ? 5 : 7]++;
    } else if (verb.equals("DELETE")) {
      write(op, key, timestamp, null);
      counts[6]++;
    } else {
      boolean skipped = update(op, key, set, ignore, timestamp);
      int count = verb.equals("UPSERT") ? 2 : 4;
      counts[count]++;
      counts[count + 1] += skipped ? 1 : 0;
    }
  }

  /** Whether the row exists, for the transaction if rows are staged. */
  private boolean exists(byte[] key) {
    Boolean held = staging == null ? null : staging.keys.get(key);
    return held == null ? latest(key) != null : held;
  }

  private void write(RowOp op, byte[] key, long timestamp, Map<Integer, byte[]> cells) {
    if (staging == null) {
      put(key, timestamp, cells);
    } else {
      staging.keys.put(key, cells != null);
      staging.staged.add(new Staged(op, schema));
    }
  }

  /** An invalid update is rejected even if the row does not exist. */
  private void checkUpdate(Map<Integer, byte[]> set, boolean ignore) throws Failure {
    boolean changes = false;
    for (int id : set.keySet()) {
      require(ignore || !column(id).isImmutable(), StatusCode.IMMUTABLE);
      changes |= !column(id).isKey() && !column(id).isImmutable();
    }
    require(changes, StatusCode.INVALID_ARGUMENT);
  }

  private boolean number(Map<Integer, byte[]> set, boolean insert) throws Failure {
    ColumnSchema last = schema.column(schema.keyColumnCount() - 1);
    if (!last.isAutoIncrementing()) {
      return false;
    }
    if (!insert) {
      byte[] given = set.get(last.id());
      require(given != null && LittleEndian.getLong(given, 0) >= 0, StatusCode.INVALID_ARGUMENT);
      return false;
    }
    require(!set.containsKey(last.id()), StatusCode.INVALID_ARGUMENT);
    byte[] cell = new byte[8];
    LittleEndian.putLong(cell, 0, counter + 1);
    set.put(last.id(), cell);
    return true;
  }

  private void raiseCounter(Map<Integer, byte[]> set) {
    ColumnSchema last = schema.column(schema.keyColumnCount() - 1);
    if (last.isAutoIncrementing()) {
      counter = Math.max(counter, LittleEndian.getLong(set.get(last.id()), 0));
    }
  }

  private byte[] key(Map<Integer, byte[]> set) throws Failure {
    KeyBuffer out = new KeyBuffer();
    for (int i = 0; i < schema.keyColumnCount(); i++) {
      byte[] cell = set.get(schema.column(i).id());
      require(cell != null, StatusCode.INVALID_ARGUMENT);
      KeyEncoder.appendCell(
          schema.column(i).type(), cell, 0, cell.length, i == schema.keyColumnCount() - 1, out);
    }
    require(out.length() <= maxKeyBytes, StatusCode.INVALID_ARGUMENT);
    return out.toByteArray();
  }

  private Map<Integer, byte[]> newRow(Map<Integer, byte[]> set) throws Failure {
    Map<Integer, byte[]> row = new HashMap<>();
    for (ColumnSchema column : schema.columns()) {
      boolean given = set.containsKey(column.id());
      require(
          given || column.isNullable() || column.writeDefault() != null,
          StatusCode.INVALID_ARGUMENT);
      row.put(column.id(), given ? set.get(column.id()) : column.writeDefault());
    }
    return row;
  }

  private boolean update(
      RowOp op, byte[] key, Map<Integer, byte[]> set, boolean ignore, long timestamp)
      throws Failure {
    Map<Integer, byte[]> row = new HashMap<>(staging == null ? latest(key) : Map.of());
    boolean skipped = false;
    boolean changed = false;
    for (Map.Entry<Integer, byte[]> cell : set.entrySet()) {
      ColumnSchema column = column(cell.getKey());
      if (column.isImmutable()) {
        require(ignore, StatusCode.IMMUTABLE);
        skipped = true;
      } else if (!column.isKey()) {
        row.put(column.id(), cell.getValue());
        changed = true;
      }
    }
    if (changed) { // an upsert that sets only the key changes nothing
      write(op, key, timestamp, row);
    }
    return skipped;
  }

  private static void require(boolean holds, StatusCode code) throws Failure {
    if (!holds) {
      throw new Failure(code);
    }
  }

  private ColumnSchema column(int id) {
    return schema.column(schema.indexOfId(id));
  }

  private void put(byte[] key, long timestamp, Map<Integer, byte[]> cells) {
    liveRows += (cells == null ? 0 : 1) - (latest(key) == null ? 0 : 1);
    rows.computeIfAbsent(key, k -> new ArrayList<>()).add(new Version(timestamp, cells));
  }

  private Map<Integer, byte[]> latest(byte[] key) {
    List<Version> versions = rows.get(key);
    return versions == null ? null : versions.get(versions.size() - 1).cells();
  }

  /** The rows of a snapshot in key order, as text, with the columns of the current schema. */
  List<String> at(long snapshot) {
    List<String> texts = new ArrayList<>();
    for (List<Version> versions : rows.values()) {
      Map<Integer, byte[]> cells = null;
      for (Version version : versions) {
        cells = version.timestamp() < snapshot ? version.cells() : cells;
      }
      if (cells != null) {
        texts.add(text(cells));
      }
    }
    return texts;
  }

  /**
   * Rows that changed in the interval, with a mark whether they were deleted. Only the key of a
   * deleted row is returned.
   */
  List<String> diff(long start, long snapshot) {
    List<String> texts = new ArrayList<>();
    for (List<Version> versions : rows.values()) {
      boolean changed = false;
      Map<Integer, byte[]> before = null;
      Map<Integer, byte[]> after = null;
      for (Version version : versions) {
        before = version.timestamp() < start ? version.cells() : before;
        after = version.timestamp() < snapshot ? version.cells() : after;
        changed |= version.timestamp() >= start && version.timestamp() < snapshot;
      }
      if (changed && after != null) {
        texts.add(text(after) + TabletScanText.IS_DELETED_ID + "=[0] ");
      } else if (changed && before != null) {
        texts.add(deletedRowText(before) + TabletScanText.IS_DELETED_ID + "=[1] ");
      }
    }
    return texts;
  }

  /**
   * The changes of the change feed: for each timestamp and row, in this order, the row right before
   * and right after it, if they differ.
   */
  List<String> changes(long start, long end) {
    Map<Long, List<String>> byTime = new TreeMap<>();
    for (List<Version> versions : rows.values()) {
      versions.stream()
          .map(Version::timestamp)
          .distinct()
          .filter(time -> time >= start && time < end)
          .forEach(
              time -> {
                String before = stateAt(versions, time);
                String after = stateAt(versions, time + 1);
                if (!before.equals(after)) {
                  byTime
                      .computeIfAbsent(time, t -> new ArrayList<>())
                      .add(time + ": " + before + "-> " + after);
                }
              });
    }
    return byTime.values().stream().flatMap(List::stream).toList();
  }

  /** The row of a snapshot as text; no text if there is none. */
  private String stateAt(List<Version> versions, long snapshot) {
    Map<Integer, byte[]> cells = null;
    for (Version version : versions) {
      cells = version.timestamp() < snapshot ? version.cells() : cells;
    }
    return cells == null ? "" : text(cells);
  }

  private String text(Map<Integer, byte[]> cells) {
    StringBuilder text = new StringBuilder();
    for (ColumnSchema column : schema.columns()) {
      byte[] cell = cells.containsKey(column.id()) ? cells.get(column.id()) : column.readDefault();
      text.append(column.id()).append('=').append(Arrays.toString(cell)).append(' ');
    }
    return text.toString();
  }

  private String deletedRowText(Map<Integer, byte[]> cells) {
    StringBuilder text = new StringBuilder();
    for (ColumnSchema column : schema.columns()) {
      byte[] cell = column.isKey() ? cells.get(column.id()) : null;
      text.append(column.id()).append('=').append(Arrays.toString(cell)).append(' ');
    }
    return text.toString();
  }

  int liveRows() {
    return liveRows;
  }
}
