package dev.kudu4j.tablet.maintenance.policy;

import java.util.List;

/**
 * The rowsets to merge, with benefit and cost.
 *
 * @param rowSets indexes into the list given to {@link CompactionPolicy#choose}, ascending; empty
 *     if no merge is worthwhile
 * @param heightReduction a lower bound of the decrease of the average height
 * @param gain the benefit minus the cost; above 0 unless {@code rowSets} is empty
 * @param bytes the bytes that the merge reads
 */
public record CompactionChoice(
    List<Integer> rowSets, double heightReduction, double gain, long bytes) {
  static final CompactionChoice NONE = new CompactionChoice(List.of(), 0, 0, 0);

  public CompactionChoice {
    rowSets = List.copyOf(rowSets);
  }

  public boolean isEmpty() {
    return rowSets.isEmpty();
  }
}
