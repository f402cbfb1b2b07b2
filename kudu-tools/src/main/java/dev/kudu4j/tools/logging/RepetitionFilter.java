package dev.kudu4j.tools.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.kudu4j.server.logging.LogMarkers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.event.KeyValuePair;

/**
 * Limits the rate of repeated warnings and errors of all loggers: the server's own classes, Jetty
 * and Ratis. So a hostile client cannot fill the disk with log messages.
 *
 * <p>Events repeat if logger and message template are equal. {@link #BURST} of them are written
 * immediately, then one every {@link #PAUSE_MILLIS}. For events with a stack trace, a fifth of this
 * number is written immediately, and the later rate is a tenth. The next line that is written
 * contains the number of suppressed lines. INFO lines are limited only if they are marked as {@link
 * LogMarkers#ON_DEMAND}, which marks lines that any client can cause: {@link #ON_DEMAND_BURST} of a
 * kind are written immediately, then ten per minute.
 *
 * <p>Thread-safe: appenders call filters from all threads.
 */
public final class RepetitionFilter extends Filter<ILoggingEvent> {
  /** Key of an event's property that contains the number of suppressed lines before it. */
  static final String LEFT_OUT = "repetitions left out";

  static final int BURST = 50;
  static final long PAUSE_MILLIS = 1_000;
  static final int ON_DEMAND_BURST = 100;
  static final long ON_DEMAND_PAUSE_MILLIS = 6_000;
  private static final int STACK_BURST = BURST / 5;
  private static final long STACK_PAUSE_MILLIS = 10 * PAUSE_MILLIS;

  /**
   * Number of distinct messages whose allowance is kept; the allowance of the least recently seen
   * message is removed first.
   */
  private static final int MESSAGES_KEPT = 512;

  private record Key(String logger, String template, boolean stack) {}

  /**
   * The number of lines of a message that may still be written, and the time at which it was last
   * increased.
   */
  private static final class Allowance {
    int lines;
    long grantedMillis;
    long leftOut;
  }

  private final LongSupplier millis;
  private final Map<Key, Allowance> allowances =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Allowance> eldest) {
          return size() > MESSAGES_KEPT;
        }
      };

  public RepetitionFilter() {
    this(() -> System.nanoTime() / 1_000_000);
  }

  RepetitionFilter(LongSupplier millis) {
    this.millis = millis;
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    boolean onDemand =
        event.getMarkerList() != null && event.getMarkerList().contains(LogMarkers.ON_DEMAND);
    if (!onDemand && !event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return FilterReply.NEUTRAL;
    }
    boolean stack = event.getThrowableProxy() != null;
    Key key = new Key(event.getLoggerName(), event.getMessage(), stack);
    long leftOut =
        onDemand
            ? admit(key, ON_DEMAND_BURST, ON_DEMAND_PAUSE_MILLIS)
            : admit(key, stack ? STACK_BURST : BURST, stack ? STACK_PAUSE_MILLIS : PAUSE_MILLIS);
    if (leftOut > 0 && event instanceof LoggingEvent own && !isCounted(own)) {
      own.addKeyValuePair(new KeyValuePair(LEFT_OUT, leftOut));
    }
    return leftOut < 0 ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  /**
   * Whether the filter of another appender has already admitted the event, and attached the number
   * of suppressed lines to it.
   */
  private static boolean isCounted(LoggingEvent event) {
    return event.getKeyValuePairs() != null
        && event.getKeyValuePairs().stream().anyMatch(pair -> pair.key.equals(LEFT_OUT));
  }

  /**
   * @return the number of suppressed lines before this one; negative if this one is suppressed
   */
  private synchronized long admit(Key key, int burst, long pauseMillis) {
    long now = millis.getAsLong();
    Allowance allowance =
        allowances.computeIfAbsent(
            key,
            fresh -> {
              Allowance full = new Allowance();
              full.lines = burst;
              full.grantedMillis = now;
              return full;
            });
    long granted = (now - allowance.grantedMillis) / pauseMillis;
    if (granted > 0) {
      allowance.lines = (int) Math.min(burst, allowance.lines + granted);
      allowance.grantedMillis += granted * pauseMillis;
    }
    if (allowance.lines == 0) {
      allowance.leftOut++;
      return -1;
    }
    allowance.lines--;
    long before = allowance.leftOut;
    allowance.leftOut = 0;
    return before;
  }
}
