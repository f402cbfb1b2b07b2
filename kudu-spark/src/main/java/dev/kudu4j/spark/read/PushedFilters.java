package dev.kudu4j.spark.read;

import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The filters that servers evaluate exactly, joined by AND, and the sample that is filtered: a row
 * is in the sample or not whether other filters select it or not, so the order does not matter.
 *
 * @param offered the filters as Spark offered them
 * @param predicates the predicates on single columns, which also select tablets and key ranges
 * @param conditions all others
 */
record PushedFilters(
    List<Predicate> offered,
    List<KuduPredicate> predicates,
    List<KuduCondition> conditions,
    PushedSample sample) {
  static final PushedFilters NONE =
      new PushedFilters(List.of(), List.of(), List.of(), PushedSample.ALL);

  private static final int LONGEST_TEXT = 200;

  PushedFilters {
    offered = List.copyOf(offered);
    predicates = List.copyOf(predicates);
    conditions = List.copyOf(conditions);
  }

  /**
   * Adds the filters to a scan, and the options that all scans of a query have in common: also the
   * time, see {@link QuerySnapshots}.
   */
  void addTo(AbstractKuduScannerBuilder<?, ?> scan, LoadedTable table, KuduOptions options) {
    addTo(scan, options);
    scan.snapshotTimestampRaw(QuerySnapshots.timestamp(table, options));
  }

  /** Like above, without the time. */
  void addTo(AbstractKuduScannerBuilder<?, ?> scan, KuduOptions options) {
    predicates.forEach(scan::addPredicate);
    conditions.forEach(scan::addCondition);
    sample.condition().ifPresent(scan::addCondition);
    scan.replicaSelection(options.replicaSelection());
    scan.batchSizeBytes(options.batchBytes());
    scan.keepAlivePeriodMs(options.keepAlivePeriodMillis());
    scan.readMode(ReadMode.READ_AT_SNAPSHOT);
    scan.indexHint(options.indexHint());
    options.scanRequestTimeoutMillis().ifPresent(scan::scanRequestTimeout);
  }

  /** Whether there are no filters. */
  boolean isEmpty() {
    return predicates.isEmpty() && conditions.isEmpty() && sample.condition().isEmpty();
  }

  /** Whether both select the same rows, as far as Spark's text of the filters tells. */
  boolean areThoseOf(PushedFilters other) {
    return offered.equals(other.offered) && sample.equals(other.sample);
  }

  /** The hash code of what {@link #areThoseOf} compares. */
  int hashOfRows() {
    return Objects.hash(offered, sample);
  }

  /** The text in plans: {@code where a = 1 and b < 2}; empty if there is none. */
  String text() {
    String text =
        Stream.of(sample.condition().stream(), predicates.stream(), conditions.stream())
            .flatMap(filters -> filters)
            .map(filter -> abbreviated(filter.toString()))
            .collect(Collectors.joining(" and "));
    return text.isEmpty() ? "" : " where " + text;
  }

  /** Some predicates as text. */
  static String textOf(List<KuduPredicate> predicates) {
    return predicates.stream()
        .map(predicate -> abbreviated(predicate.toString()))
        .collect(Collectors.joining(" and "));
  }

  private static String abbreviated(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
  }
}
