package dev.kudu4j.tserver.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TransferThrottleTest {
  private final AtomicLong now = new AtomicLong(5_000);
  private final AtomicLong limit = new AtomicLong(1_000);
  private final TransferThrottle throttle = new TransferThrottle(limit::get, now::get);

  @Test
  void transfersWaitForEarlierTransfers() {
    assertThat(throttle.reserve(500)).isZero();
    assertThat(throttle.reserve(1_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
    assertThat(throttle.reserve(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_500));
  }

  @Test
  void unusedBandwidthDoesNotAccumulate() {
    throttle.reserve(500);
    now.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertThat(throttle.reserve(1_000)).isZero();
    assertThat(throttle.reserve(1_000)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void removingTheLimitEndsTheWaits() {
    throttle.reserve(1_000_000);
    limit.set(0);
    assertThat(throttle.reserve(1_000_000)).isZero();
    limit.set(1_000);
    assertThat(throttle.reserve(1)).isZero();
  }
}
