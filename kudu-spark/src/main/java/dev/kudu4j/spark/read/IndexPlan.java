package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that servers would use for a scan, as text for plans: {@code , index by_date (8,341
 * rows, 2.1 ms), not index by_customer (120,000 rows, 66.0 ms), scan 18.3 ms}. The rows are
 * estimates, the times estimates on one core.
 *
 * <p>Servers plan the scan without running it. Of a table with many tablets, the first ones are
 * asked, and the estimates are those of all tablets in proportion.
 */
final class IndexPlan {
  private static final Logger LOG = LoggerFactory.getLogger(IndexPlan.class);

  /** Bounds the time of an explanation, which is a round trip for each tablet. */
  private static final int MAX_TABLETS = 8;

  private static final int TIMEOUT_MILLIS = 2000;

  /** The sum for one index. */
  private record Use(long used, double rows, double nanos) {
    Use plus(Use other) {
      return new Use(used + other.used, rows + other.rows, nanos + other.nanos);
    }
  }

  private final Map<String, Use> indexes = new LinkedHashMap<>();
  private double scanNanos;

  private IndexPlan() {}

  /**
   * The text; empty for a table without indexes, for a scan without filters, and if the servers
   * cannot be asked.
   *
   * @param columns the columns that the servers read, besides those of filters
   */
  static String text(
      LoadedTable table, KuduOptions options, PushedFilters filters, List<String> columns) {
    if (filters.isEmpty() || table.kuduTable().getIndexes().isEmpty()) {
      return "";
    }
    try {
      KuduScanToken.KuduScanTokenBuilder tokens =
          table
              .connection()
              .client()
              .newScanTokenBuilder(table.kuduTable())
              .setProjectedColumnNames(columns);
      filters.addTo(tokens, options);
      tokens.scanRequestTimeout(TIMEOUT_MILLIS);
      List<KuduScanToken> all = tokens.build();
      List<KuduScanToken> some = all.subList(0, Math.min(MAX_TABLETS, all.size()));
      IndexPlan plan = new IndexPlan();
      for (KuduScanToken token : some) {
        plan.add(token, table);
      }
      return plan.text((double) all.size() / Math.max(1, some.size()));
    } catch (IOException | RuntimeException e) {
      LOG.debug("The indexes of {} are not explained", table.name(), e);
      return "";
    }
  }

  private void add(KuduScanToken token, LoadedTable table) throws IOException {
    KuduScanner scanner =
        KuduScanToken.deserializeIntoScannerBuilder(token.serialize(), table.connection().client())
            .planOnly(true)
            .build();
    try {
      while (scanner.hasMoreRows()) {
        scanner.nextRows();
      }
    } finally {
      close(scanner);
    }
    ScanReport.Tablet total = scanner.getScanReport().getTotal();
    scanNanos += total.getEstimatedScanNanos();
    for (ScanReport.Index index : total.getIndexes()) {
      indexes.merge(
          index.getName(),
          new Use(index.getUsedStores(), index.getEstimatedRows(), index.getEstimatedNanos()),
          Use::plus);
    }
  }

  private static void close(KuduScanner scanner) {
    try {
      scanner.close();
    } catch (KuduException e) {
      LOG.debug("A scanner that has only planned was not closed", e);
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
