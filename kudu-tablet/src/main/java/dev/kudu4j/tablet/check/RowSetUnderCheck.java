package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One rowset of a tablet being checked: its files against the superblock and each other. */
final class RowSetUnderCheck {
  private static final int TIMESTAMPS_AT_ONCE = 4096;

  private final RowSetPB message;
  private final Problems problems;
  private final BaseData base;
  private final List<DeltaFile> redo = new ArrayList<>();
  private final Liveness liveness;

  private RowSetUnderCheck(RowSetPB message, Problems problems, BaseData base) {
    this.message = message;
    this.problems = problems;
    this.base = base;
    this.liveness = new Liveness(base.rowCount());
  }

  static RowSetUnderCheck open(TabletEnvironment environment, RowSetPB message, Problems problems)
      throws IOException {
    BaseData base =
        BaseData.open(environment, environment.directory().resolve(message.getBaseFile()));
    RowSetUnderCheck rowSet = new RowSetUnderCheck(message, problems, base);
    try {
      for (DeltaFilePB file : message.getRedoFilesList()) {
        rowSet.redo.add(
            DeltaFile.open(environment, environment.directory().resolve(file.getFile())));
      }
      return rowSet;
    } catch (Throwable e) {
      rowSet.close();
      throw e;
    }
  }

  BaseData base() {
    return base;
  }

  /** Known after {@link #check}. */
  Liveness liveness() {
    return liveness;
  }

  void check(long maxTimestamp) throws IOException {
    expect("rows", message.getRowCount(), base.rowCount());
    expect("smallest insert timestamp", message.getMinInsertTimestamp(), base.minInsertTimestamp());
    expect("largest insert timestamp", message.getMaxInsertTimestamp(), base.maxInsertTimestamp());
    expectKey("smallest key", message.getMinKey().toByteArray(), base.minKey());
    expectKey("largest key", message.getMaxKey().toByteArray(), base.maxKey());
    checkNotAbove(base.maxInsertTimestamp(), maxTimestamp);
    long[] newest = insertTimestamps();
    for (int i = 0; i < redo.size(); i++) {
      checkRedo(redo.get(i), message.getRedoFiles(i), newest, maxTimestamp);
    }
    expect("live rows", message.getLiveRowCount(), liveness.liveCount());
  }

  private long[] insertTimestamps() throws IOException {
    long[] all = new long[Math.toIntExact(base.rowCount())];
    long[] some = new long[Math.min(all.length, TIMESTAMPS_AT_ONCE)];
    for (int first = 0; first < all.length; first += some.length) {
      int count = Math.min(some.length, all.length - first);
      base.readInsertTimestamps(first, count, some);
      System.arraycopy(some, 0, all, first, count);
    }
    return all;
  }

  private void checkRedo(DeltaFile file, DeltaFilePB expected, long[] newest, long maxTimestamp)
      throws IOException {
    expect("changes of " + expected.getFile(), expected.getCount(), file.count());
    expect(
        "liveness changes of " + expected.getFile(),
        expected.getLivenessChangeCount(),
        file.livenessChangeCount());
    checkNotAbove(file.maxTimestamp(), maxTimestamp);
    if (file.kind() != DeltaFileWriter.Kind.REDO) {
      problems.add(0, "%s: expected a REDO file, found %s", expected.getFile(), file.kind());
    }
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      boolean more = cursor.next();
      while (more) {
        more = checkRow(cursor, expected.getFile(), newest);
      }
    }
  }

  /** Checks the changes of the cursor's row, the newest first, and moves behind them. */
  private boolean checkRow(DeltaFile.Cursor cursor, String file, long[] newest) throws IOException {
    long ordinal = cursor.ordinal();
    if (ordinal < 0 || ordinal >= newest.length) {
      problems.add(0, "%s: expected ordinals below %d, found %d", file, newest.length, ordinal);
      return cursor.nextRow();
    }
    long newestTimestamp = cursor.timestamp();
    boolean deletedAfter = RowChange.kind(cursor.changeAddress()) == RowChange.DELETE;
    boolean deleted = deletedAfter;
    long timestamp;
    byte kind;
    boolean more;
    do {
      timestamp = cursor.timestamp();
      kind = RowChange.kind(cursor.changeAddress());
      if (deleted != (kind == RowChange.DELETE)) {
        addKind(file, ordinal, deleted, timestamp, kind);
      }
      deleted = kind == RowChange.REINSERT; // before this change
      more = cursor.next();
    } while (more && cursor.ordinal() == ordinal);
    checkOldest(file, ordinal, timestamp, kind, newest[(int) ordinal]);
    newest[(int) ordinal] = newestTimestamp;
    if (deletedAfter) {
      liveness.delete(ordinal);
    } else {
      liveness.reinsert(ordinal);
    }
    return more;
  }

  private void checkOldest(
      String file, long ordinal, long timestamp, byte kind, long newestBefore) {
    if (timestamp < newestBefore) {
      problems.add(
          0,
          "%s: expected a change of row %d at or after %d, found %d",
          file,
          ordinal,
          newestBefore,
          timestamp);
    }
    if (liveness.isDeleted(ordinal) != (kind == RowChange.REINSERT)) {
      addKind(file, ordinal, liveness.isDeleted(ordinal), timestamp, kind);
    }
  }

  private void addKind(String file, long ordinal, boolean deleted, long timestamp, byte kind) {
    problems.add(
        0,
        "%s: row %d, %s at %d, cannot have a change of kind %d",
        file,
        ordinal,
        deleted ? "deleted" : "alive",
        timestamp,
        kind);
  }

  private void checkNotAbove(long timestamp, long maxTimestamp) {
    if (timestamp > maxTimestamp) {
      problems.add(
          0,
          "rowset %d: expected timestamps up to %d, found %d",
          message.getId(),
          maxTimestamp,
          timestamp);
    }
  }

  private void expect(String what, long expected, long found) {
    if (expected != found) {
      problems.add(
          0, "rowset %d: %s: expected %d, found %d", message.getId(), what, expected, found);
    }
  }

  private void expectKey(String what, byte[] expected, byte[] found) {
    if (!Arrays.equals(expected, found)) {
      problems.add(
          0,
          "rowset %d: %s: expected %s, found %s",
          message.getId(),
          what,
          Hex.of(expected),
          Hex.of(found));
    }
  }

  void close() {
    redo.forEach(DeltaFile::release);
    base.release();
  }
}
