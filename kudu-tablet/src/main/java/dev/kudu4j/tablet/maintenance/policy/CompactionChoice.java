package dev.kudu4j.tablet.maintenance.policy;

import java.util.List;

/**
 * Rowsets to be merged, and why.
 *
 * @param rowSets indexes of the rowsets in the list that was asked about, ascending; none when
 *     nothing is worth it
 * @param heightReduction by how much the average height falls, at least
 * @param gain what it is worth, costs subtracted; above 0 unless there is no rowset
 * @param bytes what it reads
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
