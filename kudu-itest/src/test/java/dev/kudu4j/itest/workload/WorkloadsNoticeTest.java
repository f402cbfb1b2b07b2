package dev.kudu4j.itest.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.workload.MemoryStore.Lie;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each workload accepts a correct store, and detects violations of its invariant. */
class WorkloadsNoticeTest {
  private static final int STEPS = 400;

  private static Workload workload(String name, Findings findings) {
    return switch (name) {
      case "inserts" -> new Inserts(findings, 3);
      case "bank" -> new Bank(findings);
      case "registers" -> new Registers(findings, 3);
      case "sessions" -> new Sessions(findings, 3);
      case "lives" -> new Lives(findings, 3);
      case "tables" -> new Tables(findings, 8);
      case "transfers" -> new Transfers(findings, 4);
      case "batches" -> new Batches(findings);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** The workers take turns, so that each run is the same. */
  private static Findings run(Lie lie, Function<Findings, Workload> of) throws Unavailable {
    Findings findings = new Findings();
    Workload workload = of.apply(findings);
    MemoryStore tables = new MemoryStore(lie);
    workload.prepare(tables.client());
    List<Worker> workers = workload.workers();
    List<Store> stores = workers.stream().map(worker -> tables.client()).toList();
    Random random = new Random(11);
    for (int step = 0; step < STEPS; step++) {
      for (int i = 0; i < workers.size(); i++) {
        workers.get(i).step(stores.get(i), random);
      }
    }
    workload.verify(tables.client());
    return findings;
  }

  @ParameterizedTest
  @CsvSource({
    "inserts",
    "bank",
    "registers",
    "sessions",
    "lives",
    "tables",
    "transfers",
    "batches"
  })
  void aCorrectStoreHasNoFindings(String name) throws Unavailable {
    Findings findings = run(Lie.NONE, f -> workload(name, f));
    assertThat(findings.isEmpty()).as("%s", findings).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "inserts,   LOSES_WRITES,     and is gone",
    "inserts,   INSERTS_TWICE,    was there before its insert",
    "inserts,   ADDS_ROWS,        nobody inserted",
    "bank,      SPLITS_REQUESTS,  branch",
    "bank,      REWRITES_HISTORY, and now",
    "registers, LOSES_WRITES,     NOT_LINEARIZABLE",
    "registers, READS_STALE,      NOT_LINEARIZABLE",
    "sessions,  LOSES_WRITES,     and reads",
    "sessions,  FORGETS_SESSIONS, and reads",
    "lives,     LOSES_WRITES,     is gone and was to be",
    "lives,     LOSES_WRITES,     and should be",
    "lives,     FORGETS_DELETES,  was there before its insert",
    "lives,     REPEATS_CHANGES,  and should be",
    "lives,     READS_STALE,      and should be",
    "lives,     REWRITES_HISTORY, is read as",
    "lives,     ADDS_ROWS,        nobody inserted",
    "lives,     SKIPS_CHANGES,    but before it was",
    "lives,     SHOWS_CHANGES_TWICE, but before it was",
    "tables,    FORGETS_TABLES,   and is gone",
    "tables,    KEEPS_TABLES,     and should not be",
    "tables,    FORGETS_COLUMNS,  has the columns",
    "tables,    LOSES_WRITES,     holds",
    "transfers, SPLITS_TRANSACTIONS, is torn",
    "transfers, COMMITS_REFUSED,  was rolled back",
    "transfers, LOSES_WRITES,     was committed later",
    "batches,   SPLITS_TRANSACTIONS, has the head",
    "batches,   LOSES_WRITES,     has the head",
    "batches,   REPEATS_CHANGES,  was committed twice"
  })
  void aFaultyStoreIsDetected(String name, Lie lie, String words) throws Unavailable {
    Findings findings = run(lie, f -> workload(name, f));
    assertThat(findings.toString()).contains(words);
  }

  @Test
  void aLoadRunsUntilItIsClosedAndReportsItsProgress() throws Unavailable {
    Findings findings = new Findings();
    MemoryStore tables = new MemoryStore(Lie.NONE);
    List<Workload> workloads = List.of(new Sessions(findings, 2), new Inserts(findings, 1));
    for (Workload workload : workloads) {
      workload.prepare(tables.client());
    }
    Load load = new Load(workloads, findings, 3, worker -> tables.client());
    try (load) {
      await("steps are done")
          .atMost(Duration.ofMinutes(1))
          .until(() -> load.successes().values().stream().allMatch(count -> count >= 5));
    }
    assertThat(findings.isEmpty()).as("%s", findings).isTrue();
  }
}
