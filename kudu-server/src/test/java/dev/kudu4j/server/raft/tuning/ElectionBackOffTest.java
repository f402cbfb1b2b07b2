package dev.kudu4j.server.raft.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

class ElectionBackOffTest {
  private static final int LONGEST = 1_200;
  private static final int MOST = 20_000;

  /** The properties without the back-off. */
  private static final DivisionProperties PLAIN =
      new DivisionProperties() {
        @Override
        public TimeDuration minRpcTimeout() {
          return millis(800);
        }

        @Override
        public TimeDuration maxRpcTimeout() {
          return millis(LONGEST);
        }

        @Override
        public TimeDuration rpcSleepTime() {
          return millis(25);
        }

        @Override
        public TimeDuration rpcSlownessTimeout() {
          return millis(60_000);
        }
      };

  private boolean led = true;
  private long nanos = -5;
  private final ElectionBackOff times = new ElectionBackOff(PLAIN, () -> led, MOST, () -> nanos);

  private static TimeDuration millis(int millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }

  private int longestAfter(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    return times.maxRpcTimeoutMs();
  }

  @Test
  void pausesGrowWhileNoLeaderIsElected() {
    led = false;
    assertThat(longestAfter(0)).isEqualTo(LONGEST);
    assertThat(longestAfter(3 * LONGEST)).isEqualTo(LONGEST);
    assertThat(longestAfter(2_000)).isEqualTo(LONGEST + 1_000);
    assertThat(longestAfter(10_000)).isEqualTo(LONGEST + 6_000);
    assertThat(longestAfter(3_600_000)).isEqualTo(LONGEST + MOST);
    assertThat(times.minRpcTimeoutMs()).isEqualTo(800);
    assertThat(times.maxRpcTimeout()).isEqualTo(millis(LONGEST));
  }

  @Test
  void aLeaderResetsTheBackOff() {
    led = false;
    longestAfter(0);
    assertThat(longestAfter(60_000)).isGreaterThan(LONGEST);
    led = true;
    assertThat(longestAfter(10)).isEqualTo(LONGEST);
    led = false;
    assertThat(longestAfter(60_000)).isEqualTo(LONGEST);
  }
}
