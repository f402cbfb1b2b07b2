package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tablet has the same rows as the model after any history; see {@link TabletHistory}.
 *
 * <p>A failure reports its circumstances and its seed: {@code -Dtablet.history.seed=N} runs only
 * the histories of this seed. The nightly tests run {@code -Dtablet.history.operations=N}
 * operations.
 */
class TabletHistoryTest {
  private static final Logger LOG = LoggerFactory.getLogger(TabletHistoryTest.class);
  private static final int STEPS = 120;

  @Test
  void mixedOperationsReadLikeTheModel() throws Exception {
    run(TabletHistory.Circumstances.MIXED, 200_000);
  }

  @Test
  void mixedOperationsReadLikeTheModelUnderHostileOptions() throws Exception {
    run(TabletHistory.Circumstances.HOSTILE, 30_000);
  }

  @ParameterizedTest
  @EnumSource(TabletHistory.Circumstances.class)
  @Tag("nightly")
  void aGivenNumberOfOperationsReadsLikeTheModel(TabletHistory.Circumstances circumstances)
      throws Exception {
    run(circumstances, Long.getLong("tablet.history.operations", 20_000_000));
  }

  /** Runs histories, each with a seed of its own, until that many row operations were sent. */
  private static void run(TabletHistory.Circumstances circumstances, long minOperations)
      throws Exception {
    Long wanted = Long.getLong("tablet.history.seed");
    if (wanted != null) {
      new TabletHistory(wanted, circumstances).run(STEPS);
      return;
    }
    long first = new Random().nextLong();
    LOG.info("{} histories from seed {} on", circumstances, first);
    AtomicLong nextSeed = new AtomicLong(first);
    AtomicLong operations = new AtomicLong();
    inParallel(
        () -> {
          while (operations.get() < minOperations) {
            TabletHistory history = new TabletHistory(nextSeed.getAndIncrement(), circumstances);
            history.run(STEPS);
            operations.addAndGet(history.operations());
          }
        });
    long histories = nextSeed.get() - first;
    LOG.info("{} operations in {} {} histories", operations, histories, circumstances);
    assertThat(operations.get()).isGreaterThanOrEqualTo(minOperations);
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Runs one thread per processor, because histories are independent. */
  private static void inParallel(Work work) throws Exception {
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            executor.submit(
                () -> {
                  work.run();
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
