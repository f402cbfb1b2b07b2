package dev.kudu4j.common;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How tests wait for what other threads do: until it is so. They look often, so that waiting costs
 * hardly more than the thing itself, and for far longer than it takes, so that a machine that
 * stands still for a while fails no test. Only what never comes costs the whole time.
 *
 * <p>They look in the waiting thread, and what goes wrong in others is for the test itself to find.
 */
public final class Patience {
  /** How long a test waits for what must come: no bound that a machine under load comes near to. */
  public static final int SECONDS = 60;

  private static final Duration INTERVAL = Duration.ofMillis(2);

  private Patience() {}

  public static ConditionFactory await() {
    return patiently(Awaitility.await());
  }

  /**
   * @param what is waited for, for the message when it does not come
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
