package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.benchmarks.cluster.Registration;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.cluster.ThreadTimes;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Measures the queries at each freshness while rows are written.
 *
 * <pre>
 *   fill | writes: settle | rounds: of each query: idle, freshness 0, 1, 5 ... | further reads
 * </pre>
 *
 * <p>A slot has one client that repeats one query. Its processor time is that of the servers'
 * threads that answer requests. In an idle slot nothing is read: its processor time is that of the
 * writes, which is subtracted from the slots of the same query and round. The length of a slot is a
 * multiple of the epoch, so all slots contain the same flushes.
 */
final class FreshnessRun {
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final int SETTLING_EPOCHS = 2;

  /** Further reads may be that many epochs old. */
  private static final int EPOCHS_OF_FURTHER_READS = 3;

  /**
   * The sizes of a run.
   *
   * @param freshness in seconds
   * @param writes inserts and updates a second
   * @param slotSeconds duration of a slot
   * @param reads at least so many reads are checked for their age
   */
  record Settings(
      long rows,
      int tablets,
      int epochSeconds,
      List<Integer> freshness,
      int writes,
      int updatePercent,
      int rounds,
      double slotSeconds,
      int reads) {}

  /**
   * A query at a freshness, in one round.
   *
   * @param nanos durations of the query
   * @param cpuNanos processor time of the servers for one query, without that of the writes; NaN if
   *     unknown
   */
  record Slot(Query query, int freshness, int round, Histogram nanos, double cpuNanos) {}

  /**
   * The result of a run.
   *
   * @param reads reads whose age was checked
   * @param tooOld those that did not see a row that was acknowledged before their oldest snapshot
   * @param rows rows at the end
   */
  record Result(List<Slot> slots, long reads, long tooOld, long rows) {}

  private final Settings settings;
  private final TargetCluster cluster;
  private final Consumer<String> progress;
  private final List<Slot> slots = new ArrayList<>();
  private long reads;
  private long tooOld;

  /** A slot that has ended, with its processor time and that of the writes in it. */
  private record Elapsed(Histogram nanos, double seconds, double cpuNanos) {
    double cpuNanosPerSecond() {
      return cpuNanos / seconds;
    }
  }

  FreshnessRun(Settings settings, TargetCluster cluster, Consumer<String> progress) {
    this.settings = settings;
    this.cluster = cluster;
    this.progress = progress;
  }

  Result run() throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Registration.await(client, 1);
      KuduTable table =
          client.createTable(
              FreshnessTable.NAME,
              FreshnessTable.schema(),
              FreshnessTable.options(settings.tablets(), settings.epochSeconds()));
      try (BackgroundLoad load = new BackgroundLoad(client, table)) {
        progress.accept("inserting %,d rows".formatted(settings.rows()));
        load.fill(settings.rows());
        cluster.flush();
        cluster.awaitIdle();
        Acknowledged acknowledged = new Acknowledged(settings.rows(), System.nanoTime());
        Future<?> writing = load.start(settings.writes(), settings.updatePercent(), acknowledged);
        progress.accept("writing %,d rows a second".formatted(settings.writes()));
        pause(SETTLING_EPOCHS * settings.epochSeconds());
        for (int round = 1; round <= settings.rounds(); round++) {
          for (Query query : Query.values()) {
            measure(query, round, client, table, acknowledged);
          }
        }
        readMore(client, table, acknowledged);
        load.stop(writing);
        return new Result(List.copyOf(slots), reads, tooOld, acknowledged.rows());
      }
    }
  }

  private void measure(
      Query query, int round, KuduClient client, KuduTable table, Acknowledged acknowledged)
      throws KuduException {
    progress.accept("round %d of %d: %s".formatted(round, settings.rounds(), query.title()));
    double idleCpu = slot(histogram -> pause(settings.slotSeconds())).cpuNanosPerSecond();
    for (int freshness : settings.freshness()) {
      Elapsed elapsed =
          slot(
              histogram -> {
                long end = System.nanoTime() + (long) (settings.slotSeconds() * 1e9);
                while (System.nanoTime() - end < 0) {
                  Duration asked = Duration.ofSeconds(freshness);
                  histogram.recordValue(read(query, client, table, asked, acknowledged));
                }
              });
      double cpu = elapsed.cpuNanos() - idleCpu * elapsed.seconds();
      Histogram nanos = elapsed.nanos();
      slots.add(new Slot(query, freshness, round, nanos, cpu / nanos.getTotalCount()));
    }
  }

  private interface Work {
    void run(Histogram nanos) throws KuduException;
  }

  private Elapsed slot(Work work) throws KuduException {
    Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    ThreadTimes before = cluster.requestThreads();
    long start = System.nanoTime();
    work.run(nanos);
    return new Elapsed(
        nanos, (System.nanoTime() - start) / 1e9, cluster.requestThreads().since(before));
  }

  /** Runs a query once, and returns its duration. Checks the age of its answer. */
  private long read(
      Query query,
      KuduClient client,
      KuduTable table,
      Duration freshness,
      Acknowledged acknowledged)
      throws KuduException {
    long start = System.nanoTime();
    long rows = query.run(client, table, freshness);
    long nanos = System.nanoTime() - start;
    if (query.countsAllRows()) {
      reads++;
      tooOld += rows < acknowledged.rowsAt(start - freshness.toNanos()) ? 1 : 0;
    }
    return nanos;
  }

  /** Counts rows at random freshness until enough reads were checked. */
  private void readMore(KuduClient client, KuduTable table, Acknowledged acknowledged)
      throws KuduException {
    progress.accept("%,d reads at any freshness".formatted(Math.max(0, settings.reads() - reads)));
    Random random = new Random(2);
    int longestMillis = 1 + EPOCHS_OF_FURTHER_READS * 1000 * Math.max(1, settings.epochSeconds());
    while (reads < settings.reads()) {
      Duration freshness = Duration.ofMillis(random.nextInt(longestMillis));
      read(Query.COUNT, client, table, freshness, acknowledged);
    }
  }

  private static void pause(double seconds) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos((long) (seconds * 1000));
    while (System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
