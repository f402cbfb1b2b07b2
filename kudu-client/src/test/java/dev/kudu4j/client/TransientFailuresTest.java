package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TransientFailuresTest {
  private final TransientFailures failures = new TransientFailures();

  /** The number of failures until the server is given up, each as soon as it is due. */
  private int failuresUntilGivenUp(long startMillis) {
    int count = 1;
    long now = startMillis;
    while (failures.failed(nanos(now))) {
      assertThat(failures.isDue(nanos(now))).isFalse();
      long pause = 0;
      while (!failures.isDue(nanos(now + pause))) {
        pause += 100;
      }
      assertThat(pause).isBetween(200L, 5_000L);
      now += pause;
      count++;
    }
    assertThat(now - startMillis).isBetween(60_000L, 65_000L);
    return count;
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void pausesGrowUntilTheServerIsGivenUp() {
    assertThat(failures.isDue(nanos(-5))).as("nothing has failed").isTrue();
    assertThat(failuresUntilGivenUp(1_000)).isBetween(15, 25);
  }

  @Test
  void aResponseResetsThePauses() {
    assertThat(failures.failed(nanos(0))).isTrue();
    assertThat(failures.failed(nanos(59_000))).isTrue();
    failures.answered();
    assertThat(failures.isDue(nanos(59_001))).isTrue();
    assertThat(failures.failed(nanos(70_000))).as("not failing since the beginning").isTrue();
    assertThat(failures.isDue(nanos(70_200))).as("the shortest pause").isTrue();
  }
}
