package dev.kudu4j.tablet.check;

import java.util.List;

/**
 * What a check found in one rowset.
 *
 * @param id the rowset's number
 * @param fileCount files that the superblock names
 * @param rowCount rows of its base data, as the superblock says
 * @param liveRowCount those that are not deleted
 * @param changeCount changes in its UNDO and REDO files
 * @param bytes of all its files that are there
 * @param problems what is wrong, with file and offset; empty when it is sound
 */
public record RowSetReport(
    long id,
    int fileCount,
    long rowCount,
    long liveRowCount,
    long changeCount,
    long bytes,
    List<String> problems) {
  public RowSetReport {
    problems = List.copyOf(problems);
  }

  public boolean isSound() {
    return problems.isEmpty();
  }
}
