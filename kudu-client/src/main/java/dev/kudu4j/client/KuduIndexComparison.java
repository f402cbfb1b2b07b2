package dev.kudu4j.client;

import dev.kudu4j.util.HybridTimeUtil;
import java.util.List;
import java.util.Optional;

/**
 * The result of comparing a global index with its table at one snapshot.
 *
 * @param index name of the index
 * @param snapshotTimestamp the snapshot that was read of both, as a hybrid time
 * @param tableRows rows of the table that belong in the index: those without NULL in its columns
 * @param indexRows rows of the index
 * @param differingParts how many of the 4096 parts of the rows, by their primary keys, differ
 * @param differenceCount the differences that were found
 * @param isCountExact whether all parts that differ were read for the count; if there are many
 *     differences, only some are
 * @param differences the first of them
 */
public record KuduIndexComparison(
    String index,
    long snapshotTimestamp,
    long tableRows,
    long indexRows,
    int differingParts,
    long differenceCount,
    boolean isCountExact,
    List<Difference> differences) {
  /**
   * A row that the index should have, or has and should not have, or with other cells.
   *
   * @param key the primary key in the table, as text
   * @param inTable the other columns of the index in the table; empty if there is no such row
   * @param inIndex the same in the index
   */
  public record Difference(String key, Optional<String> inTable, Optional<String> inIndex) {
    @Override
    public String toString() {
      if (inIndex.isEmpty()) {
        return key + ": missing in the index; the table has " + inTable.orElse("");
      }
      return inTable
          .map(cells -> key + ": the table has " + cells + "; the index has " + inIndex.get())
          .orElseGet(() -> key + ": only in the index, which has " + inIndex.get());
    }
  }

  public KuduIndexComparison {
    differences = List.copyOf(differences);
  }

  /** Whether the index has exactly the rows that it should have. */
  public boolean isEqual() {
    return differingParts == 0 && tableRows == indexRows;
  }

  /** The time of the snapshot, in microseconds since 1970. */
  public long snapshotMicros() {
    return HybridTimeUtil.HTTimestampToPhysicalAndLogical(snapshotTimestamp)[0];
  }
}
