package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.Registration;
import dev.kudu4j.benchmarks.cluster.ServerCounts;
import dev.kudu4j.benchmarks.cluster.ServerProcess;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A mixed run: starts a master and a tablet server of Kudu4j, runs the load, and takes a sample per
 * second.
 */
public final class MixedRun {
  private static final int PROGRESS_SECONDS = 30;

  private final Path home;
  private final Settings settings;
  private final Path directory;
  private final Consumer<String> progress;

  /**
   * @param home the directory that contains {@code bin/kudu}
   * @param directory directory of the servers' data, which is not deleted
   * @param progress receives a description of each step
   */
  public MixedRun(Path home, Settings settings, Path directory, Consumer<String> progress) {
    this.home = home;
    this.settings = settings;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Runs the load and returns the samples, oldest first. Fails if a client got a wrong result or
   * rows are missing.
   */
  List<Second> record() throws Exception {
    progress.accept("starting a master and a tablet server");
    OurDistribution ours = new OurDistribution(home, settings.javaOptions());
    try (StatusClient rpc = new StatusClient();
        Cluster cluster = Cluster.start(ours, directory, 1, settings.serverFlags(), rpc);
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Registration.await(client, 1);
      KuduTable table =
          client.createTable(MixedTable.NAME, MixedTable.schema(), MixedTable.partitioning());
      try (MixedLoad load = new MixedLoad(client, table, settings)) {
        progress.accept("inserting " + settings.rowsBefore() + " rows");
        load.insertFirst();
        return record(cluster, load);
      }
    }
  }

  /** Runs the load and returns the report. */
  public MixedReport run() throws Exception {
    return new MixedReport(settings, record());
  }

  private List<Second> record(Cluster cluster, MixedLoad load) throws Exception {
    progress.accept(
        "inserting, updating, scanning and looking up for " + settings.seconds() + " s");
    ServerProcess server = cluster.tabletServers().get(0);
    ServerCounts before = cluster.counts(server);
    List<Second> seconds = new ArrayList<>();
    long start = System.nanoTime();
    load.start();
    for (int i = 1; i <= settings.seconds(); i++) {
      pauseUntil(start + TimeUnit.SECONDS.toNanos(i));
      load.check();
      Second now = sample(cluster.counts(server), before, server, load, System.nanoTime() - start);
      seconds.add(now);
      if (i % PROGRESS_SECONDS == 0) {
        progress.accept(text(now));
      }
    }
    load.stop();
    long found = load.countRows();
    if (found != load.rows()) {
      throw new IllegalStateException(
          load.rows() + " rows were acknowledged, but " + found + " exist");
    }
    return seconds;
  }

  private static void pauseUntil(long momentNanos) {
    long left = momentNanos - System.nanoTime();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = momentNanos - System.nanoTime();
    }
  }

  private static Second sample(
      ServerCounts now,
      ServerCounts before,
      ServerProcess server,
      MixedLoad load,
      long sinceStartNanos) {
    return new Second(
        sinceStartNanos / 1e9,
        load.rows(),
        server.residentBytes(),
        pool(now, "root"),
        pool(now, "heap"),
        pool(now, "direct"),
        pool(now, "data"),
        pool(now, "data/page cache"),
        1e3 * since("jvm_gc_pause_seconds_sum", "", now, before),
        (long) since("jvm_gc_pause_seconds_count", "", now, before),
        (long) since("jvm_gc_pause_seconds_count", "action=\"end of major GC\"", now, before),
        (long) now.sum("kudu_rowsets", ""),
        now.sum("kudu_rowset_height", ""),
        (long) now.sum("kudu_delta_files", ""),
        now.sum("kudu_rowset_delta_files", ""),
        (long) now.sum("kudu_data_files_bytes", ""),
        (long) since("kudu_writes_refused_memory_total", "", now, before),
        load.inserts().take(),
        load.updates().take(),
        load.lookUps().take(),
        load.scans().take());
  }

  private static long pool(ServerCounts counts, String name) {
    return (long) counts.sum("kudu_memory_used_bytes", "pool=\"" + name + "\"");
  }

  private static double since(String name, String label, ServerCounts now, ServerCounts before) {
    return now.sum(name, label) - before.sum(name, label);
  }

  private static String text(Second now) {
    return String.format(
        "%.0f s: %,d rows, %d MB of memory, height %.2f, %d delta files, read p99 %.1f ms",
        now.seconds(),
        now.rows(),
        now.residentBytes() >> 20,
        now.height(),
        now.deltaFiles(),
        Second.percentileMillis(now.lookUpNanos(), 99));
  }
}
