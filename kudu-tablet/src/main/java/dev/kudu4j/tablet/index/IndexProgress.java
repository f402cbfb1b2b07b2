package dev.kudu4j.tablet.index;

/**
 * How much of an index a tablet has on disk. Rows in memory do not count.
 *
 * @param indexId the id of the index
 * @param rowSets DiskRowSets of the tablet
 * @param builtRowSets of these: rowsets with the file of the index. A rowset whose files lack a
 *     column of the index needs no file and counts as built
 * @param rows rows of all DiskRowSets, deleted ones included
 * @param builtRows rows of the built ones
 */
public record IndexProgress(int indexId, int rowSets, int builtRowSets, long rows, long builtRows) {
  /** The number of rowsets whose file is still to be built. */
  public int missingFiles() {
    return rowSets - builtRowSets;
  }
}
