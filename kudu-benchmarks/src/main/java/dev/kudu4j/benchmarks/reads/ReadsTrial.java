package dev.kudu4j.benchmarks.reads;

import dev.kudu4j.benchmarks.reads.EventTable.Layout;
import dev.kudu4j.benchmarks.workload.ours.BackgroundWrites;
import dev.kudu4j.benchmarks.workload.ours.TabletServers;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** The tables of both layouts, and one client that reads them. */
final class ReadsTrial implements AutoCloseable {
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final long SEED = 7;

  private final KuduClient client;
  private final long rows;
  private final Map<Layout, EventTable> tables = new EnumMap<>(Layout.class);

  ReadsTrial(String masters, long rows, int replicas) throws KuduException {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    this.rows = rows;
    TabletServers.await(client, replicas);
    for (Layout layout : Layout.values()) {
      tables.put(layout, EventTable.create(client, layout, rows, replicas));
    }
  }

  /** The durations of reads, one after the other. */
  record Load(Histogram nanos) {
    double millis(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e6;
    }

    double perSecond() {
      return 1e9 / nanos.getMean();
    }
  }

  /** Loads a table. */
  void load(Layout layout) throws KuduException {
    BackgroundWrites.apply(client, tables.get(layout).loaded());
  }

  /** Begins to insert rows into both tables. */
  Arrivals arrivals(int rowsPerSecond) {
    return new Arrivals(client, List.copyOf(tables.values()), rowsPerSecond, 0);
  }

  /**
   * Reads random ranges of time.
   *
   * @param count number of loaded rows of each range
   */
  Load ranges(Layout layout, long count, double seconds) throws KuduException {
    EventTable table = tables.get(layout);
    RandomGenerator random = new SplittableRandom(SEED);
    return repeat(
        seconds,
        () -> {
          long begin = 2 * random.nextLong(rows - count + 1);
          long found = table.read(begin, begin + 2 * count);
          if (found < count || found > 2 * count) {
            throw new IllegalStateException(
                "The range from " + begin + " has " + found + " rows, loaded were " + count);
          }
        });
  }

  /** Reads single rows by their time, in the table that is sorted by it. */
  Load points(double seconds) throws KuduException {
    EventTable table = tables.get(Layout.SORTED);
    RandomGenerator random = new SplittableRandom(SEED);
    return repeat(
        seconds,
        () -> {
          long time = 2 * random.nextLong(rows);
          if (!table.has(time)) {
            throw new IllegalStateException("The row of time " + time + " is not found");
          }
        });
  }

  private interface Step {
    void run() throws KuduException;
  }

  private static Load repeat(double seconds, Step step) throws KuduException {
    Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    long end = System.nanoTime() + (long) (seconds * 1e9);
    do {
      long started = System.nanoTime();
      step.run();
      nanos.recordValue(System.nanoTime() - started);
    } while (System.nanoTime() - end < 0);
    return new Load(nanos);
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
