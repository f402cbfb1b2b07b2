package dev.kudu4j.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verification of the indexes of one replica, as its server last reported it.
 *
 * @param tabletId the id of the replica's tablet
 * @param server host and port
 * @param ended whether all index files were compared, or the verification has failed
 * @param failure why it has failed; empty if it has not
 * @param millis how long it has run
 * @param percent the part of the work that is done
 * @param files index files to compare
 * @param comparedFiles of these: compared
 * @param missingFiles index files that are still to be built
 * @param comparedEntries entries, one for each row, of the compared files
 * @param differenceCount the number of differences between entries and rows
 * @param differences the first differences
 */
public record ReplicaVerification(
    String tabletId,
    String server,
    boolean ended,
    Optional<String> failure,
    long millis,
    int percent,
    int files,
    int comparedFiles,
    int missingFiles,
    long comparedEntries,
    long differenceCount,
    List<Difference> differences) {
  /**
   * A difference between an index and the rows.
   *
   * @param index name of the index
   * @param rowSetId the rowset
   * @param ordinal the position of the row in the rowset; empty if the difference is not about one
   *     row
   * @param text what is different
   */
  public record Difference(String index, long rowSetId, OptionalLong ordinal, String text) {}

  public ReplicaVerification {
    differences = List.copyOf(differences);
  }

  /** Whether all index files were compared and are equal to the rows. */
  public boolean isSound() {
    return ended && failure.isEmpty() && differenceCount == 0;
  }
}
