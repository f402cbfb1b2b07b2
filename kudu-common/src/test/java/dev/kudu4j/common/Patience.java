package dev.kudu4j.common;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits of tests for other threads. They poll frequently, so a wait takes hardly longer than the
 * event. Their timeout is far longer than the event takes, so a machine that stalls for a while
 * fails no test. Only an event that never happens takes the whole timeout.
 *
 * <p>They poll in the waiting thread; the test itself must detect failures of other threads.
 */
public final class Patience {
  /** Timeout of a wait in seconds, far above the delays of a loaded machine. */
  public static final int SECONDS = 60;

  private static final Duration INTERVAL = Duration.ofMillis(2);

  private Patience() {}

  public static ConditionFactory await() {
    return patiently(Awaitility.await());
  }

  /**
   * @param what description of the event, for the message if it does not happen
   */
  public static ConditionFactory await(String what) {
    return patiently(Awaitility.await(what));
  }

  private static ConditionFactory patiently(ConditionFactory waiting) {
    return waiting
        .atMost(Duration.ofSeconds(SECONDS))
        .pollDelay(Duration.ZERO)
        .pollInterval(INTERVAL)
        .pollInSameThread()
        .dontCatchUncaughtExceptions();
  }
}
