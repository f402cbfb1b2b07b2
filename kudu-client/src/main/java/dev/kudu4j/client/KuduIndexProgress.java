package dev.kudu4j.client;

import java.util.List;

/**
 * How much of an index the servers have built, as they last reported it to the master. It is some
 * seconds old. Scans use the part that is there.
 *
 * @param name of the index
 * @param indexId id of the index, which changes when the index is built again
 * @param state whether all replicas have it
 * @param duplicates why the index has failed, for people: the equal rows that were found, if it
 *     should be unique, or why a global index cannot have a row; empty unless the state is FAILED
 * @param tablets the tablets of the table, or those of a global index, in the order of their
 *     partitions. A replica of a global index counts as one rowset
 */
public record KuduIndexProgress(
    String name, int indexId, State state, String duplicates, List<Tablet> tablets) {
  /** The state of an index. */
  public enum State {
    /**
     * A rowset of some replica lacks the index, or a replica has not reported it yet, or servers
     * search the table for equal rows because the index is to be unique.
     */
    BUILDING,
    /**
     * All rowsets of all replicas of all tablets have the index. A unique one is enforced, and the
     * table has no equal rows.
     */
    READY,
    /**
     * Writes of equal rows are refused, and servers search once more for those that were written
     * before.
     */
    CHECKING,
    /**
     * The table has equal rows, so the index is not unique, or it has a row that a global index
     * cannot have; drop it.
     */
    FAILED
  }

  /**
   * The progress in one tablet: sums over its replicas. Rows in memory do not count.
   *
   * @param tabletId the id of the tablet
   * @param replicas its replicas
   * @param builtReplicas the replicas that have the index for all their rowsets
   * @param rowSets DiskRowSets of the replicas that have reported the index
   * @param builtRowSets of these: with the index
   * @param rows rows of the DiskRowSets
   * @param builtRows of these: with the index
   */
  public record Tablet(
      String tabletId,
      int replicas,
      int builtReplicas,
      long rowSets,
      long builtRowSets,
      long rows,
      long builtRows) {}

  public KuduIndexProgress {
    tablets = List.copyOf(tablets);
  }
}
