package dev.kudu4j.tools.perf;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Reads one tablet and measures the time. */
final class TabletScan implements Callable<TabletScan.Figures> {
  private final KuduClient client;
  private final KuduScanToken token;
  private final LongAdder allRows;
  private final Consumer<Figures> whenDone;

  /**
   * The results.
   *
   * @param batches number of calls that returned rows
   * @param counters the scan's resource metrics as the servers report them, by name
   */
  record Figures(
      String tablet, long rows, double seconds, long batches, Map<String, Long> counters) {
    /** The report in the layout of Apache Kudu's tool. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(
          String.format(
              Locale.ROOT, "T %s scanned %d rows in %.6f seconds", tablet, rows, seconds));
      lines.add(line("NextBatch() calls", batches));
      new TreeMap<>(counters).forEach((name, count) -> lines.add(line(name, count)));
      return lines;
    }

    private static String line(String name, long count) {
      return String.format(Locale.ROOT, "%32s%16d", name, count);
    }
  }

  /**
   * @param allRows counts the rows of all tablets
   * @param whenDone called on the scanning thread
   */
  TabletScan(
      KuduClient client, KuduScanToken token, LongAdder allRows, Consumer<Figures> whenDone) {
    this.client = client;
    this.token = token;
    this.allRows = allRows;
    this.whenDone = whenDone;
  }

  /** The id of the tablet that a token reads. */
  static String tablet(KuduScanToken token) {
    return new String(token.getTablet().getTabletId(), UTF_8);
  }

  @Override
  public Figures call() throws IOException {
    long start = System.nanoTime();
    KuduScanner scanner = token.intoScanner(client);
    long rows = 0;
    long batches = 0;
    try {
      while (scanner.hasMoreRows()) {
        int batch = scanner.nextRows().getNumRows();
        rows += batch;
        allRows.add(batch);
        batches++;
      }
    } finally {
      scanner.close();
    }
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    Figures figures =
        new Figures(tablet(token), rows, seconds, batches, scanner.getResourceMetrics().get());
    whenDone.accept(figures);
    return figures;
  }
}
