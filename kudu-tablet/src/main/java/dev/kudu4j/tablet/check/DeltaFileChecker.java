package dev.kudu4j.tablet.check;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileFooter;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks a delta file: all checksums are right; blocks fill the file; changes are well-formed and
 * in the order that the file's kind (UNDO or REDO) requires; the footer matches the changes.
 */
public final class DeltaFileChecker {
  private final DeltaFile file;
  private final DeltaFileFooter footer;
  private final Problems problems;

  private long lastOrdinal = -1;
  private long lastTimestamp;
  private int lastSequence;
  private long count;
  private long livenessChanges;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp;
  private final Map<Integer, Long> columnChanges = new TreeMap<>();

  private DeltaFileChecker(DeltaFile file, Problems problems) {
    this.file = file;
    this.footer = file.footer();
    this.problems = problems;
  }

  /**
   * Reads the whole file and returns its problems; empty if there are none.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> check(TabletEnvironment environment, Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    problems.collect(
        () -> {
          DeltaFile file = DeltaFile.open(environment.uncached(), path);
          try {
            new DeltaFileChecker(file, problems).checkAll();
          } finally {
            file.release();
          }
        });
    return problems.list();
  }

  /**
   * Reads the whole file and throws if there is a problem.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION with all problems
   */
  public static void verify(TabletEnvironment environment, Path path) throws IOException {
    Problems.throwIfAny(check(environment, path));
  }

  private void checkAll() throws IOException {
    List<BlockLocation> locations = new ArrayList<>();
    footer.blocks().forEach(block -> locations.add(block.location()));
    problems.checkTiling(file.sealedFile(), locations);
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      for (DeltaFileFooter.Block block : footer.blocks()) {
        checkBlock(cursor, block);
      }
    }
    checkFooter();
  }

  private void checkBlock(DeltaFile.Cursor cursor, DeltaFileFooter.Block block) throws IOException {
    long offset = block.location().offset();
    long columns = 0;
    long smallest = Long.MAX_VALUE;
    long largest = 0;
    for (int i = 0; i < block.count(); i++) {
      if (!cursor.next()) {
        problems.add(offset, "expected %d changes, found %d", block.count(), i);
        return;
      }
      if (i == 0 && cursor.ordinal() != block.firstOrdinal()) {
        problems.add(
            offset, "first ordinal: expected %d, found %d", block.firstOrdinal(), cursor.ordinal());
      }
      columns |= checkChange(cursor, offset) ? RowChange.columnMask(cursor.changeAddress()) : 0;
      smallest = Math.min(smallest, cursor.timestamp());
      largest = Math.max(largest, cursor.timestamp());
    }
    expect("smallest timestamp of a block", block.minTimestamp(), smallest);
    expect("largest timestamp of a block", block.maxTimestamp(), largest);
    expect("columns of a block", block.columns(), columns);
    if (lastOrdinal != block.lastOrdinal()) {
      problems.add(offset, "last ordinal: expected %d, found %d", block.lastOrdinal(), lastOrdinal);
    }
  }

  /** Checks the change at the cursor; returns false if the change cannot be read. */
  private boolean checkChange(DeltaFile.Cursor cursor, long offset) {
    boolean behind =
        cursor.ordinal() != lastOrdinal
            ? cursor.ordinal() > lastOrdinal
            : footer
                .kind()
                .mustFollow(cursor.timestamp(), cursor.sequence(), lastTimestamp, lastSequence);
    if (!behind) {
      problems.add(
          offset,
          "expected a change after (ordinal %d, timestamp %d, sequence %d), found (%d, %d, %d)",
          lastOrdinal,
          lastTimestamp,
          lastSequence,
          cursor.ordinal(),
          cursor.timestamp(),
          cursor.sequence());
    }
    lastOrdinal = cursor.ordinal();
    lastTimestamp = cursor.timestamp();
    lastSequence = cursor.sequence();
    count++;
    minTimestamp = Math.min(minTimestamp, lastTimestamp);
    maxTimestamp = Math.max(maxTimestamp, lastTimestamp);
    String error = DeltaFile.validateChange(cursor.changeAddress(), cursor.changeLength());
    if (error != null) {
      problems.add(offset, "change of ordinal %d: %s", lastOrdinal, error);
      return false;
    }
    livenessChanges += RowChange.kind(cursor.changeAddress()) == RowChange.UPDATE ? 0 : 1;
    noteColumns(cursor.changeAddress());
    return true;
  }

  private void noteColumns(long change) {
    long cell = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < RowChange.cellCount(change); i++) {
      columnChanges.merge(Memory.getInt(cell), 1L, Long::sum);
      cell += RowChange.CELL_HEADER_BYTES + Math.max(0, Memory.getInt(cell + 4));
    }
  }

  private void checkFooter() {
    expect("change count", footer.count(), count);
    expect("liveness change count", footer.livenessChangeCount(), livenessChanges);
    expect("smallest timestamp", footer.minTimestamp(), minTimestamp);
    expect("largest timestamp", footer.maxTimestamp(), maxTimestamp);
    if (!footer.columnChanges().equals(columnChanges)) {
      problems.add(
          file.sealedFile().footerOffset(),
          "changes by column: expected %s, found %s",
          footer.columnChanges(),
          columnChanges);
    }
  }

  private void expect(String what, long expected, long found) {
    if (expected != found) {
      problems.add(
          file.sealedFile().footerOffset(), "%s: expected %d, found %d", what, expected, found);
    }
  }
}
