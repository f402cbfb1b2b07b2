package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.client.KuduIndexHint;
import java.util.List;
import java.util.Locale;

/** Which indexes a query may use, in the order of the columns of the report. */
public enum Plan {
  /** The servers choose among a scan and the indexes of single columns. */
  CHOSEN("chosen"),
  /** All rows are filtered. */
  NONE("no index"),
  /** Indexes of single columns, whatever they cost. */
  FORCED("forced"),
  /** The servers choose among a scan and the indexes that include all columns. */
  INCLUDING("INCLUDE (*), chosen"),
  /** Indexes that include all columns, whatever they cost. */
  INCLUDING_FORCED("INCLUDE (*), forced"),
  /**
   * The client reads the global index that has all columns, if it finds it better than the table.
   */
  CLUSTERING("clustering"),
  /** The published client and servers, which have no indexes. */
  PUBLISHED("Apache Kudu");

  private final String title;

  Plan(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /** The name in JSON. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The hint that makes Kudu4j's servers follow the plan on a table with these indexes. */
  KuduIndexHint hint(TwinIndexes indexes) {
    return switch (this) {
      case CHOSEN -> indexes.only(indexes.plain());
      case NONE -> KuduIndexHint.forbid();
      case FORCED -> indexes.force(indexes.plain());
      case INCLUDING -> indexes.only(indexes.including());
      case INCLUDING_FORCED -> indexes.force(indexes.including());
      case CLUSTERING -> indexes.only(List.of(indexes.clustering()));
      case PUBLISHED -> throw new IllegalStateException("Apache Kudu has no indexes");
    };
  }
}
