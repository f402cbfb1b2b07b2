package dev.kudu4j.benchmarks.index;

import dev.kudu4j.client.KuduIndex;
import java.util.List;
import java.util.stream.Stream;

/** The kind of the indexes of a table into which rows are inserted, in the order of the report. */
enum Indexing {
  LOCAL("local", 5),
  /** Global, without further columns. */
  GLOBAL("global", 25),
  CLUSTERING("clustering", 120),
  NONE("no index", 0);

  private final String title;
  private final int maxPercent;

  Indexing(String title, int maxPercent) {
    this.title = title;
    this.maxPercent = maxPercent;
  }

  String title() {
    return title;
  }

  /**
   * How much longer saturated inserts into a table with two indexes may take than without, in
   * percent.
   */
  int maxPercent() {
    return maxPercent;
  }

  /** Whether the indexes are tables of their own, which follow the table. */
  boolean isGlobal() {
    return this == GLOBAL || this == CLUSTERING;
  }

  /** An index of this kind on each of the columns; none for {@link #NONE}. */
  List<KuduIndex> on(String... columns) {
    return this == NONE
        ? List.of()
        : Stream.of(columns).map(column -> index("by_" + column, column)).toList();
  }

  private KuduIndex index(String name, String column) {
    return switch (this) {
      case LOCAL -> KuduIndex.local(name, column);
      case GLOBAL -> KuduIndex.global(name, column);
      case CLUSTERING -> KuduIndex.clustering(name, column);
      case NONE -> throw new IllegalStateException("There is no index");
    };
  }
}
