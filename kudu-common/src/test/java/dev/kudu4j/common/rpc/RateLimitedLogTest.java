package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final Logger logger = new LoggerContext().getLogger("test");

  @Test
  void oneLineASecondContainsTheNumberOfSuppressedLines() {
    written.start();
    logger.addAppender(written);
    RateLimitedLog log = RateLimitedLog.oncePerSecond(logger, nanos::get);
    for (int i = 0; i < 5; i++) {
      log.warn("Slow: {} ms", i);
    }
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    log.warn("Slow: {} ms", 5);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    log.warn("Slow: {} ms", 6);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    log.warn("Slow: {} ms", 7);
    assertThat(written.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Slow: 0 ms", "Slow: 6 ms (5 similar lines were suppressed)", "Slow: 7 ms");
  }

  @Test
  void linesThatClientsCauseAreLoggedInABurstAndThenRarely() {
    written.start();
    logger.addAppender(written);
    RateLimitedLog log = new RateLimitedLog(logger, nanos::get);
    for (int second = 0; second < 100; second++) {
      for (int i = 0; i < 30; i++) {
        log.warn("Malformed frame {}", i);
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertThat(written.list).hasSize(20 + 9);
    assertThat(written.list.get(19).getFormattedMessage()).isEqualTo("Malformed frame 19");
    assertThat(written.list.get(20).getFormattedMessage())
        .isEqualTo("Malformed frame 0 (280 similar lines were suppressed)");
  }

  /** SLF4J takes a throwable behind the last placeholder for the cause; it stays the last one. */
  @Test
  void aCauseKeepsItsStackTrace() {
    written.start();
    logger.addAppender(written);
    RateLimitedLog log = RateLimitedLog.oncePerSecond(logger, nanos::get);
    log.warn("first");
    log.warn("second");
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    log.warn("{} failed", "third", new IllegalStateException("cause"));
    assertThat(written.list.get(1).getFormattedMessage())
        .isEqualTo("third failed (1 similar lines were suppressed)");
    assertThat(written.list.get(1).getThrowableProxy().getMessage()).isEqualTo("cause");
  }
}
