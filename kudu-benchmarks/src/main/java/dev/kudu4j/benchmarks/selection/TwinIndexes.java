package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.client.KuduIndex;
import java.util.List;

/**
 * The indexes of a table: for each of some columns one without and one with the cells of all other
 * columns.
 */
public record TwinIndexes(List<String> columns) {
  public TwinIndexes {
    columns = List.copyOf(columns);
  }

  List<KuduIndex> plain() {
    return columns.stream().map(column -> KuduIndex.local(plainName(column), column)).toList();
  }

  List<KuduIndex> including() {
    return columns.stream()
        .map(column -> KuduIndex.local(includingName(column), column).includingOthers())
        .toList();
  }

  String[] plainNames() {
    return columns.stream().map(TwinIndexes::plainName).toArray(String[]::new);
  }

  String[] includingNames() {
    return columns.stream().map(TwinIndexes::includingName).toArray(String[]::new);
  }

  /** The name of a column's index that has no other cells. */
  static String plainName(String column) {
    return "by_" + column;
  }

  private static String includingName(String column) {
    return "by_" + column + "_with_all";
  }
}
