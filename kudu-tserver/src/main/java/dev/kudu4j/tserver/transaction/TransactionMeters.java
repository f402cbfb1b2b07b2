package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the transactions that this server coordinates, and those that are open in its tablets.
 * Thread-safe.
 */
final class TransactionMeters {
  private static final Duration[] COMMIT_BOUNDS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private volatile @Nullable Timer commits; // null until the metrics are registered

  /**
   * Notes the end of a commit, when its rows are visible.
   *
   * @param nanos since the commit was asked for, or since this server has continued it
   */
  void committed(long nanos) {
    committed.increment();
    Timer timer = commits;
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  void aborted() {
    aborted.increment();
  }

  /** Registers the metrics. Those of tablets are computed for each request. */
  void publish(MeterRegistry target, Coordinators coordinators, TabletRegistry tablets) {
    Gauge.builder("kudu.transactions.coordinated", coordinators, Coordinators::openCount)
        .register(target);
    FunctionCounter.builder("kudu.transactions.committed", committed, LongAdder::sum)
        .register(target);
    FunctionCounter.builder("kudu.transactions.aborted", aborted, LongAdder::sum).register(target);
    commits =
        Timer.builder("kudu.transactions.commit.latency")
            .serviceLevelObjectives(COMMIT_BOUNDS)
            .register(target);
    sum("kudu.transactions.open", tablets, tablet -> open(tablet).size(), target);
    staged("memory", tablets, OpenTransaction::memoryBytes, target);
    staged("files", tablets, OpenTransaction::fileBytes, target);
    sum(
        "kudu.transactions.waiting.writes",
        tablets,
        tablet -> tablet.replica().transactions().waiting().count(),
        target);
  }

  private static void staged(
      String place,
      TabletRegistry tablets,
      ToLongFunction<OpenTransaction> bytes,
      MeterRegistry target) {
    Gauge.builder(
            "kudu.transactions.staged",
            tablets,
            all -> sum(all, tablet -> open(tablet).stream().mapToLong(bytes).sum()))
        .baseUnit("bytes")
        .tag("place", place)
        .register(target);
  }

  private static void sum(
      String name,
      TabletRegistry tablets,
      ToLongFunction<HostedTablet> value,
      MeterRegistry target) {
    Gauge.builder(name, tablets, all -> sum(all, value)).register(target);
  }

  private static long sum(TabletRegistry tablets, ToLongFunction<HostedTablet> value) {
    return tablets.all().stream().mapToLong(tablet -> ofRunning(tablet, value)).sum();
  }

  /** 0 for a tablet that does not run, or no longer. */
  private static long ofRunning(HostedTablet tablet, ToLongFunction<HostedTablet> value) {
    try {
      return tablet.isRunning() ? value.applyAsLong(tablet) : 0;
    } catch (KuduException e) {
      return 0;
    }
  }

  private static List<OpenTransaction> open(HostedTablet tablet) {
    return tablet.replica().transactions().open();
  }
}
