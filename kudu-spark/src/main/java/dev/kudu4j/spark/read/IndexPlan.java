package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that servers would use for a scan, as text for plans: {@code , index by_date (8,341
 * rows, 2.1 ms), not index by_customer (120,000 rows, 66.0 ms), scan 18.3 ms}. The rows are
 * estimates, the times estimates on one core.
 *
 * <p>Servers plan the scan without running it. If a table has many tablets, only the first ones are
 * asked, and their estimates are extrapolated to all tablets. Spark wants the text of a scan also
 * when it runs it, so the questions are few and end early.
 */
final class IndexPlan {
  private static final Logger LOG = LoggerFactory.getLogger(IndexPlan.class);
  private static final int MAX_TABLETS = 8;
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int CALL_TIMEOUT_MILLIS = 300;

  /** The sum for one index. */
  private record Use(long used, double rows, double nanos) {
    Use plus(Use other) {
      return new Use(used + other.used, rows + other.rows, nanos + other.nanos);
    }
  }

  private final Map<String, Use> indexes = new LinkedHashMap<>();
  private double scanNanos;

  private IndexPlan() {}

  /** The text for a scan of a global index. */
  static String instead(String index) {
    return ", index " + index + " instead of the table";
  }

  /** Whether a scan may read a global index instead of the table. */
  static boolean mayReadInstead(LoadedTable table, PushedFilters filters) {
    return mayUseIndex(table, filters)
        && table.kuduTable().getIndexes().stream().anyMatch(KuduIndex::isGlobal);
  }

  /**
   * The text for a scan of rows of the table; empty for a table without indexes, for a scan without
   * filters, and if the servers do not answer in time.
   *
   * @param columns the columns that the servers read, besides those of filters
   */
  static String ofRows(
      LoadedTable table, KuduOptions options, PushedFilters filters, List<String> columns) {
    if (!mayUseIndex(table, filters)) {
      return "";
    }
    try {
      KuduScanToken.KuduScanTokenBuilder builder =
          table
              .connection()
              .client()
              .newScanTokenBuilder(table.kuduTable())
              .setProjectedColumnNames(columns)
              .globalIndexes(false)
              .setFaultTolerant(options.faultTolerantScan());
      filters.addTo(builder, options);
      builder.scanRequestTimeout(CALL_TIMEOUT_MILLIS);
      List<KuduScanToken> tokens = builder.build();
      IndexPlan plan = new IndexPlan();
      long end = System.nanoTime() + MAX_NANOS;
      int asked = 0;
      while (asked < Math.min(MAX_TABLETS, tokens.size()) && System.nanoTime() - end < 0) {
        plan.add(planned(tokens.get(asked++), table));
      }
      return plan.text((double) tokens.size() / Math.max(1, asked));
    } catch (IOException | RuntimeException e) {
      return unknown(table, e);
    }
  }

  /**
   * As {@link #ofRows}, for an aggregation of the table or of a global index. All tablets are asked
   * at the same time.
   *
   * @param mayReadInstead whether a global index may be read instead of the table
   */
  static String ofGroups(
      LoadedTable table,
      KuduOptions options,
      PushedFilters filters,
      PushedAggregates aggregates,
      boolean mayReadInstead) {
    if (!mayUseIndex(table, filters)) {
      return "";
    }
    try {
      if (mayReadInstead && mayReadInstead(table, filters)) {
        KuduAggregateBuilder builder = table.kuduTable().aggregate();
        filters.addTo(builder, options);
        aggregates.addTo(builder);
        QuerySnapshots.earliest(table, options).ifPresent(builder::snapshotTimestampRaw);
        Optional<String> index =
            builder.buildTokens(false).stream().findFirst().flatMap(KuduScanToken::getIndex);
        if (index.isPresent()) {
          return instead(index.get());
        }
      }
      KuduAggregateBuilder builder = table.kuduTable().aggregate().globalIndexes(false);
      filters.addTo(builder, options);
      aggregates.addTo(builder);
      builder.planOnly(true);
      builder.scanRequestTimeout(CALL_TIMEOUT_MILLIS);
      KuduAggregate aggregate = builder.build();
      aggregate.execute();
      IndexPlan plan = new IndexPlan();
      plan.add(aggregate.getScanReport().getTotal());
      return plan.text(1);
    } catch (IOException | RuntimeException e) {
      return unknown(table, e);
    }
  }

  private static boolean mayUseIndex(LoadedTable table, PushedFilters filters) {
    return !filters.isEmpty() && !table.kuduTable().getIndexes().isEmpty();
  }

  private static String unknown(LoadedTable table, Exception failure) {
    LOG.debug("The indexes of {} are not explained", table.name(), failure);
    return "";
  }

  private static ScanReport.Tablet planned(KuduScanToken token, LoadedTable table)
      throws IOException {
    KuduScanner scanner =
        KuduScanToken.deserializeIntoScannerBuilder(token.serialize(), table.connection().client())
            .planOnly(true)
            .build();
    try {
      while (scanner.hasMoreRows()) {
        scanner.nextRows();
      }
    } finally {
      scanner.close();
    }
    return scanner.getScanReport().getTotal();
  }

  private void add(ScanReport.Tablet total) {
    scanNanos += total.getEstimatedScanNanos();
    for (ScanReport.Index index : total.getIndexes()) {
      indexes.merge(
          index.getName(),
          new Use(index.getUsedStores(), index.getEstimatedRows(), index.getEstimatedNanos()),
          Use::plus);
    }
  }

  private String text(double factor) {
    if (indexes.isEmpty()) {
      return "";
    }
    List<String> texts = new ArrayList<>();
    indexes.forEach(
        (name, use) ->
            texts.add(
                String.format(
                    Locale.ROOT,
                    "%sindex %s (%,.0f rows, %s)",
                    use.used() > 0 ? "" : "not ",
                    name,
                    use.rows() * factor,
                    millis(use.nanos() * factor))));
    return ", " + String.join(", ", texts) + ", scan " + millis(scanNanos * factor);
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
