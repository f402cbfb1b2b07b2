package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any history reads like the model; see {@link TabletHistory}. A failure names its seed: {@code
 * -Dtablet.history.seed=N} runs that history alone.
 */
class TabletHistoryTest {
  private static final Logger LOG = LoggerFactory.getLogger(TabletHistoryTest.class);
  private static final int STEPS = 120;

  @Test
  void anyHistoryReadsLikeTheModel() throws IOException {
    run(60_000);
  }

  @Test
  @Tag("nightly")
  void manyHistoriesReadLikeTheModel() throws IOException {
    run(2_000_000);
  }

  /** Runs histories, each with a seed of its own, until that many row operations were sent. */
  private static void run(int leastOperations) throws IOException {
    Long wanted = Long.getLong("tablet.history.seed");
    if (wanted != null) {
      new TabletHistory(wanted).run(STEPS);
      return;
    }
    long first = new Random().nextLong();
    LOG.info("Histories from seed {} on", first);
    int histories = 0;
    int operations = 0;
    while (operations < leastOperations) {
      TabletHistory history = new TabletHistory(first + histories);
      history.run(STEPS);
      operations += history.operations();
      histories++;
    }
    LOG.info("{} operations in {} histories from seed {} on", operations, histories, first);
    assertThat(histories).isPositive();
  }
}
