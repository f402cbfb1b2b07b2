package dev.kudu4j.tablet.check;

import java.util.List;

/**
 * The result of checking one rowset.
 *
 * @param id the rowset's id
 * @param fileCount files that the superblock references
 * @param rowCount rows of the base data according to the superblock
 * @param liveRowCount rows that are not deleted
 * @param changeCount changes in the UNDO and REDO files
 * @param bytes the total size of those files of the rowset that exist
 * @param problems descriptions with file and offset; empty if the rowset is sound
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
