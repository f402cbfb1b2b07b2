package dev.kudu4j.tablet.index;

import dev.kudu4j.common.index.Uniqueness;

/**
 * How much of an index a tablet has on disk. Rows in memory do not count.
 *
 * @param indexId the id of the index
 * @param rowSets DiskRowSets of the tablet
 * @param builtRowSets of these: rowsets with the file of the index. A rowset whose files lack a
 *     column of the index needs no file and counts as built
 * @param rows rows of all DiskRowSets, deleted ones included
 * @param builtRows rows of the built ones
 * @param checkedAt the uniqueness at which this replica has looked for equal rows; NOT_UNIQUE if it
 *     has not
 * @param duplicates what it found, for people; empty if there were no equal rows
 */
public record IndexProgress(
    int indexId,
    int rowSets,
    int builtRowSets,
    long rows,
    long builtRows,
    Uniqueness checkedAt,
    String duplicates) {
  /** The progress of an index that was not searched for equal rows. */
  public IndexProgress(int indexId, int rowSets, int builtRowSets, long rows, long builtRows) {
    this(indexId, rowSets, builtRowSets, rows, builtRows, Uniqueness.NOT_UNIQUE, "");
  }

  /** A copy with the result of a search for equal rows. */
  public IndexProgress withCheck(Uniqueness at, String found) {
    return new IndexProgress(indexId, rowSets, builtRowSets, rows, builtRows, at, found);
  }

  /** The number of rowsets whose file is still to be built. */
  public int missingFiles() {
    return rowSets - builtRowSets;
  }
}
