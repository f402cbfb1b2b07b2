package dev.kudu4j.tablet.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What a check found in a tablet.
 *
 * @param tableName empty when the superblock cannot be read
 * @param rowSets in the superblock's order
 * @param problems of the superblock, and those that are no single rowset's
 */
public record TabletReport(String tableName, List<RowSetReport> rowSets, List<String> problems) {
  public TabletReport {
    rowSets = List.copyOf(rowSets);
    problems = List.copyOf(problems);
  }

  /** Everything that is wrong; empty when the tablet is sound. */
  public List<String> allProblems() {
    List<String> all = new ArrayList<>();
    rowSets.forEach(rowSet -> all.addAll(rowSet.problems()));
    all.addAll(problems);
    return all;
  }
}
