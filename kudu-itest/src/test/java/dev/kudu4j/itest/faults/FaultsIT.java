package dev.kudu4j.itest.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.itest.history.PorcupineFile;
import dev.kudu4j.itest.suite.TableStore;
import dev.kudu4j.itest.workload.Bank;
import dev.kudu4j.itest.workload.Batches;
import dev.kudu4j.itest.workload.Findings;
import dev.kudu4j.itest.workload.Inserts;
import dev.kudu4j.itest.workload.Lives;
import dev.kudu4j.itest.workload.Load;
import dev.kudu4j.itest.workload.Registers;
import dev.kudu4j.itest.workload.Sessions;
import dev.kudu4j.itest.workload.Store;
import dev.kudu4j.itest.workload.Tables;
import dev.kudu4j.itest.workload.Transfers;
import dev.kudu4j.itest.workload.Unavailable;
import dev.kudu4j.itest.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Real servers under a sequence of faults, with work by clients of both kinds. All invariants hold;
 * after each fault all work continues; at the end all replicas are equal.
 *
 * <p>{@code ./dev faults --minutes 60 --seed 7}; docs/faults.md describes the directory that a run
 * leaves.
 */
class FaultsIT {
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("faults.minutes", "0.5"));
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime() % 1_000_000);
  private static final int MAX_CLOCK_SHIFT_MILLIS = Integer.getInteger("faults.clockMillis", 5_000);
  private static final Roster ROSTER =
      new Roster(
          Integer.getInteger("faults.masters", 3), Integer.getInteger("faults.tabletServers", 4));
  private static final String KINDS = System.getProperty("faults.kinds", "");

  /**
   * More than the maximum duration of a call: one that a fault has cut off ends at its time-out.
   */
  private static final Duration PROGRESS = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(10); // the time until then is printed

  private final long start = System.nanoTime();
  private final Findings findings = new Findings();
  private final Registers registers = new Registers(findings, 6);
  private final List<Workload> workloads =
      List.of(
          new Inserts(findings, 2),
          new Bank(findings),
          registers,
          new Sessions(findings, 3),
          new Lives(findings, 3),
          new Tables(findings, 2),
          new Transfers(findings, Integer.getInteger("faults.transferClients", 4)),
          new Batches(findings));

  @Test
  void allInvariantsHoldUnderFaults() throws Exception {
    Path directory = Path.of("target", "faults", "seed-" + SEED).toAbsolutePath();
    Files.createDirectories(directory);
    say("-Dfaults.seed=%d -Dfaults.minutes=%s, logs in %s", SEED, MINUTES, directory);
    try (FrailCluster cluster = new FrailCluster(directory, ROSTER)) {
      cluster.start();
      suffer(cluster);
      judge(cluster);
    } finally {
      if (!findings.isEmpty()) {
        PorcupineFile.write(directory.resolve("registers.json"), registers.histories());
      }
    }
    assertThat(findings.isEmpty()).as("seed %d, %s", SEED, findings).isTrue();
  }

  private void suffer(FrailCluster cluster) throws Unavailable {
    try (Store store = TableStore.patient(cluster.masters())) {
      for (Workload workload : workloads) {
        workload.prepare(store);
      }
    }
    Schedule schedule = new Schedule(SEED, wanted(cluster.kinds()), ROSTER, MAX_CLOCK_SHIFT_MILLIS);
    try (Load load = new Load(workloads, findings, SEED, n -> store(n, cluster.masters()))) {
      awaitProgress(load);
      long end = System.nanoTime() + (long) (MINUTES * TimeUnit.MINUTES.toNanos(1));
      while (System.nanoTime() - end < 0 && findings.isEmpty()) {
        round(schedule.next(), cluster, load);
      }
    }
  }

  private static List<FaultKind> wanted(List<FaultKind> possible) {
    List<String> names = List.of(KINDS.split(","));
    return KINDS.isEmpty()
        ? possible
        : possible.stream().filter(kind -> names.contains(kind.name())).toList();
  }

  /** Every third client is the published one. */
  private static Store store(int number, String masters) {
    return number % 3 == 2
        ? new dev.kudu4j.itest.published.TableStore(masters)
        : new TableStore(masters);
  }

  private void round(List<Fault> faults, FrailCluster cluster, Load load) {
    for (Fault fault : faults) {
      say("%s", fault.describe(ROSTER));
      fault.strike(cluster);
    }
    for (Fault fault : faults) {
      last(fault.holdMillis());
      fault.heal(cluster);
    }
    awaitProgress(load);
  }

  /** Waits for the duration of the fault. */
  private static void last(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  /** Waits until the work of every kind has continued. */
  private void awaitProgress(Load load) {
    long healed = System.nanoTime();
    Map<String, Long> before = load.successes();
    await("all work continues after the fault, beyond " + before)
        .atMost(PROGRESS)
        .pollInterval(LOOK)
        .untilAsserted(
            () ->
                assertThat(findings.isEmpty() ? standing(load, before) : List.of())
                    .as("work that stands still")
                    .isEmpty());
    say("all work goes on after %d ms", (System.nanoTime() - healed) / 1_000_000);
  }

  /** The workloads that have done little since then. */
  private static List<String> standing(Load load, Map<String, Long> before) {
    return load.successes().entrySet().stream()
        .filter(entry -> entry.getValue() <= before.get(entry.getKey()) + 5)
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .toList();
  }

  private void judge(FrailCluster cluster) throws Unavailable {
    try (Store store = TableStore.patient(cluster.masters())) {
      for (Workload workload : workloads) {
        workload.verify(store);
        say("%s: %s", workload.name(), workload.summary());
      }
    }
    Agreement agreement = new Agreement(cluster, findings);
    agreement.ofReplicas();
    agreement.ofCatalogAndTablets();
    say("servers compared");
  }

  @FormatMethod
  private void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("faults: %6.1f s  %s%n", seconds, String.format(format, arguments));
  }
}
