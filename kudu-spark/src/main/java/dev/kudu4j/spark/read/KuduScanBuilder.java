package dev.kudu4j.spark.read;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Collects the properties of a scan: predicates that servers evaluate exactly, columns, limit.
 * Spark may build several scans from it.
 */
public final class KuduScanBuilder
    implements SupportsPushDownV2Filters, SupportsPushDownRequiredColumns, SupportsPushDownLimit {
  private final LoadedTable table;
  private final KuduOptions options;
  private final PushedPredicates translation;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<KuduPredicate> predicates = new ArrayList<>();
  private StructType columns;
  private OptionalInt limit = OptionalInt.empty();

  public KuduScanBuilder(LoadedTable table, KuduOptions options) {
    this.table = table;
    this.options = options;
    Schema schema = table.kuduTable().getSchema();
    this.translation = new PushedPredicates(schema);
    this.columns = SparkTypes.rowType(schema.getColumns());
  }

  /** Accepts the predicates that servers can evaluate; returns those that Spark must evaluate. */
  @Override
  public Predicate[] pushPredicates(Predicate[] offered) {
    List<Predicate> rest = new ArrayList<>();
    for (Predicate predicate : offered) {
      Optional<List<KuduPredicate>> known = translation.translate(predicate);
      if (known.isPresent()) {
        pushed.add(predicate);
        predicates.addAll(known.get());
      } else {
        rest.add(predicate);
      }
    }
    return rest.toArray(new Predicate[0]);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(new Predicate[0]);
  }

  @Override
  public void pruneColumns(StructType required) {
    this.columns = required;
  }

  /** Every task stops at the limit; Spark takes the first rows of all tasks. */
  @Override
  public boolean pushLimit(int rows) {
    if (rows <= 0) {
      return false;
    }
    this.limit = OptionalInt.of(rows);
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public Scan build() {
    return new KuduScan(
        table, options, columns, List.copyOf(predicates), List.copyOf(pushed), limit);
  }
}
