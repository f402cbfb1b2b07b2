package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexHint;
import java.util.List;
import java.util.stream.Stream;

/**
 * The indexes of a table: for each of some columns a local one without and one with the cells of
 * all other columns, and a clustering one on all of these columns, in their order.
 */
public record TwinIndexes(List<String> columns) {
  private static final String CLUSTERING = "clustered";

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

  KuduIndex clustering() {
    return KuduIndex.clustering(CLUSTERING, columns.toArray(String[]::new));
  }

  /** The hint that allows these indexes, and no others. */
  KuduIndexHint only(List<KuduIndex> allowed) {
    List<String> names = List.of(names(allowed));
    List<KuduIndex> others =
        Stream.of(plain(), including(), List.of(clustering()))
            .flatMap(List::stream)
            .filter(index -> !names.contains(index.getName()))
            .toList();
    return KuduIndexHint.forbid(names(others));
  }

  /** The hint that makes servers use these indexes. */
  KuduIndexHint force(List<KuduIndex> wanted) {
    return KuduIndexHint.force(names(wanted));
  }

  private static String[] names(List<KuduIndex> indexes) {
    return indexes.stream().map(KuduIndex::getName).toArray(String[]::new);
  }

  /** The name of a column's index that has no other cells. */
  static String plainName(String column) {
    return "by_" + column;
  }

  private static String includingName(String column) {
    return "by_" + column + "_with_all";
  }
}
