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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  RequestResult apply(RequestId id, int piece, int pieces, List<RowOp> operations, long timestamp) {
    if (id == null) {
      return applyRows(operations, timestamp);
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
      return refused(operations, timestamp);
    }
    RequestResult result = applyRows(operations, timestamp);
    if (answer != null) {
      result = merge(answer.result(), answer.rows(), result);
    }
    int before = answer == null ? 0 : answer.rows();
    client.answers.put(id.sequence(), new Answer(result, piece + 1, before + operations.size()));
    return result;
  }

  private static RequestResult refused(List<RowOp> operations, long timestamp) {
    List<RowFailure> errors = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      errors.add(new RowFailure(i, StatusCode.RUNTIME_ERROR, ""));
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
    Map<Integer, byte[]> set = new HashMap<>(op.cells());
    set.keySet().removeIf(id -> schema.indexOfId(id) < 0);
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
    Map<Integer, byte[]> present = latest(key);
    if (insert) {
      Map<Integer, byte[]> row = newRow(set);
      if (present == null) {
        put(key, timestamp, row);
        counts[0]++;
        counter = numbered ? counter + 1 : counter;
      } else {
        require(ignore, StatusCode.ALREADY_PRESENT);
        counts[1]++;
      }
    } else if (present == null && verb.equals("UPSERT")) {
      put(key, timestamp, fresh);
      counts[2]++;
      raiseCounter(set);
    } else if (present == null) {
      require(ignore, StatusCode.NOT_FOUND);
      counts[verb.equals("UPDATE") ? 5 : 7]++;
    } else if (verb.equals("DELETE")) {
      put(key, timestamp, null);
      counts[6]++;
    } else {
      boolean skipped = update(key, present, set, ignore, timestamp);
      int count = verb.equals("UPSERT") ? 2 : 4;
      counts[count]++;
      counts[count + 1] += skipped ? 1 : 0;
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
      byte[] key,
      Map<Integer, byte[]> present,
      Map<Integer, byte[]> set,
      boolean ignore,
      long timestamp)
      throws Failure {
    Map<Integer, byte[]> row = new HashMap<>(present);
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
      put(key, timestamp, row);
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
