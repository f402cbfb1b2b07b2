package dev.kudu4j.tablet.check;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking a tablet.
 *
 * @param tableName empty if the superblock cannot be read
 * @param rowSets the rowsets in the superblock's order
 * @param problems the problems of the superblock, and those that concern no single rowset
 */
public record TabletReport(String tableName, List<RowSetReport> rowSets, List<String> problems) {
  public TabletReport {
    rowSets = List.copyOf(rowSets);
    problems = List.copyOf(problems);
  }

  /** All problems; empty if there are none. */
  public List<String> allProblems() {
    List<String> all = new ArrayList<>();
    rowSets.forEach(rowSet -> all.addAll(rowSet.problems()));
    all.addAll(problems);
    return all;
  }
}
