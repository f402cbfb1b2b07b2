package dev.kudu4j.client;

import java.util.Optional;

/**
 * The compaction of one replica, as its server last reported it.
 *
 * @param tabletId the id of the replica's tablet
 * @param server host and port
 * @param ended whether there is nothing more to compact, or the compaction has failed
 * @param failure why it has failed; empty if it has not
 * @param millis how long it has run
 * @param before what the replica consisted of when the compaction began
 * @param now what the replica consists of
 */
public record ReplicaCompaction(
    String tabletId,
    String server,
    boolean ended,
    Optional<String> failure,
    long millis,
    Layout before,
    Layout now) {
  /**
   * The contents of a replica.
   *
   * @param rowSets DiskRowSets
   * @param deltaFiles files of changes
   * @param diskBytes the size of the files
   * @param memoryBytes the size of rows and changes that are not in files yet
   */
  public record Layout(long rowSets, long deltaFiles, long diskBytes, long memoryBytes) {}
}
