package dev.kudu4j.benchmarks.consistency;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ServerProcess;
import dev.kudu4j.benchmarks.mixed.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** One run on one cluster: a writer, readers, a load, and the death of leaders. */
final class Experiment {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int LOAD_ROWS = 100;

  /**
   * How long, how many, and how often.
   *
   * @param readPauseMillis pause of each reader between two reads
   * @param killSeconds time between two deaths of servers; 0 for none
   * @param loadRowsPerSecond rows of the load; 0 for none
   */
  record Settings(
      double seconds,
      int readers,
      int readPauseMillis,
      double killSeconds,
      int loadRowsPerSecond) {}

  private final Servers servers;
  private final Cluster cluster;
  private final Settings settings;
  private final Histogram writeNanos = new Histogram(LONGEST_NANOS, 3);
  private final long[] pairsOfSecond;
  private final AtomicLong loadedRows = new AtomicLong();
  private final long beginNanos;
  private final long endNanos;
  private long failedWrites;
  private int kills;

  Experiment(Servers servers, Cluster cluster, Settings settings) throws Exception {
    this.servers = servers;
    this.cluster = cluster;
    this.settings = settings;
    this.pairsOfSecond = new long[(int) Math.ceil(settings.seconds)];
    try (Pairs pairs = servers.pairs(cluster.masterAddresses(), false)) {
      pairs.create(cluster.tabletServers().size());
      pairs.write(0, 0); // the first transaction of a cluster waits for its table of transactions
    }
    this.beginNanos = System.nanoTime();
    this.endNanos = beginNanos + (long) (settings.seconds * 1e9);
  }

  Outcome run() throws Exception {
    List<Reading> readings = servers.readings(cluster.masterAddresses(), settings.readers);
    List<Callable<Void>> tasks = new ArrayList<>();
    tasks.add(this::write);
    if (settings.killSeconds > 0) {
      tasks.add(this::kill);
    }
    if (settings.loadRowsPerSecond > 0) {
      tasks.add(this::load);
    }
    for (Reading reading : readings) {
      for (int i = 0; i < reading.readers(); i++) {
        tasks.add(() -> read(reading));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return new Outcome(readings, writeNanos, pairsOfSecond, failedWrites, kills, loadedRows.get());
  }

  private boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }

  /** A pair that fails may or may not be there, so it is written again. */
  private Void write() throws Exception {
    long[] totals = new long[Pairs.ACCOUNTS];
    try (Pairs pairs = servers.pairs(cluster.masterAddresses(), false)) {
      pairs.open();
      for (int account = 0; !isOver(); account = (account + 1) % totals.length) {
        totals[account]++;
        long started = System.nanoTime();
        while (!writeOnce(pairs, account, totals[account]) && !isOver()) {
          LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
        }
        wrote(started);
      }
    }
    return null;
  }

  private boolean writeOnce(Pairs pairs, int account, long total) {
    try {
      pairs.write(account, total);
      return true;
    } catch (Exception e) {
      failedWrites++;
      return false;
    }
  }

  private void wrote(long started) {
    long now = System.nanoTime();
    writeNanos.recordValue(Math.min(LONGEST_NANOS, now - started));
    int second = (int) TimeUnit.NANOSECONDS.toSeconds(now - beginNanos);
    if (second < pairsOfSecond.length) {
      pairsOfSecond[second]++;
    }
  }

  /** One session: its later reads must not see an older state. */
  private Void read(Reading reading) throws Exception {
    Sums before = Sums.NONE;
    try (Reading.Session session = reading.open()) {
      while (!isOver()) {
        try {
          Sums now = session.read();
          reading.found(before, now);
          before = now;
        } catch (Exception e) {
          reading.failed();
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(settings.readPauseMillis));
      }
    }
    return null;
  }

  private Void load() throws Exception {
    Pace pace = new Pace((double) settings.loadRowsPerSecond / LOAD_ROWS);
    try (Pairs pairs = servers.pairs(cluster.masterAddresses(), false)) {
      pairs.open();
      for (long key = 0; !isOver(); key += LOAD_ROWS) {
        if (loadOnce(pairs, key)) {
          loadedRows.addAndGet(LOAD_ROWS);
        }
        pace.awaitTurn();
      }
    }
    return null;
  }

  /** Rows that a dying server has refused are left out. */
  private static boolean loadOnce(Pairs pairs, long key) {
    try {
      pairs.load(key, LOAD_ROWS);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  private void pauseUntil(long nanos) {
    while (System.nanoTime() - nanos < 0 && !isOver()) {
      LockSupport.parkNanos(Math.min(nanos - System.nanoTime(), 100_000_000L));
    }
  }

  /** Kills the leaders of the two tablets in turn. */
  private Void kill() throws Exception {
    long interval = (long) (settings.killSeconds * 1e9);
    for (long next = beginNanos + interval; next - endNanos < 0; next += interval) {
      pauseUntil(next);
      int victim = leader(kills);
      if (victim >= 0) {
        cluster.killAndRestart(victim);
        kills++;
      }
    }
    return null;
  }

  /** The server that leads one of the tablets; -1 if it is not known. */
  private int leader(int turn) throws Exception {
    try (Pairs pairs = servers.pairs(cluster.masterAddresses(), false)) {
      pairs.open();
      List<Integer> ports = pairs.leaderPorts();
      List<Integer> all =
          cluster.tabletServers().stream()
              .map(ServerProcess::address)
              .map(address -> address.getPort())
              .toList();
      return ports.isEmpty() ? -1 : all.indexOf(ports.get(turn % ports.size()));
    }
  }
}
