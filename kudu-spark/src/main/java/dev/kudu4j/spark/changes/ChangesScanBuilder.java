package dev.kudu4j.spark.changes;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Bounds a read of changes by the predicates on their time. Spark evaluates all predicates again.
 */
final class ChangesScanBuilder implements ScanBuilder, SupportsPushDownV2Filters {
  private final String name;
  private final LoadedTable table;
  private final KuduOptions options;
  private final StructType columns;
  private final Optional<String> whyNoStream;
  private TimeBounds bounds;

  ChangesScanBuilder(
      String name,
      LoadedTable table,
      KuduOptions options,
      StructType columns,
      TimeBounds bounds,
      Optional<String> whyNoStream) {
    this.name = name;
    this.table = table;
    this.options = options;
    this.columns = columns;
    this.bounds = bounds;
    this.whyNoStream = whyNoStream;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    for (Predicate predicate : predicates) {
      bounds = bounds.with(predicate);
    }
    return predicates;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return new Predicate[0];
  }

  @Override
  public Scan build() {
    return new ChangesScan(name, table, options, columns, bounds, whyNoStream);
  }
}
