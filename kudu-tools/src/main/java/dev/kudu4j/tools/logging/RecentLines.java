package dev.kudu4j.tools.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.kudu4j.server.process.RecentLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last lines of the log in memory for the web pages, up to {@link #MAX_CHARACTERS}
 * characters. The lines are escaped and rate-limited like those of the daemons' log.
 *
 * <p>{@link #attach} adds this appender to the root logger, so it also works with the operator's
 * own logging configuration.
 */
public final class RecentLines extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements RecentLog {
  /** Limit of all lines together. A character of plain text takes one byte of memory. */
  static final int MAX_CHARACTERS = 1 << 20;

  /** Counted for each line in addition to its text, for the memory of its objects. */
  private static final int LINE_OVERHEAD = 100;

  private final EscapedMessage message = new EscapedMessage();
  private final EscapedThrowable thrown = new EscapedThrowable();
  private final Deque<Line> lines = new ArrayDeque<>();
  private int characters;

  /**
   * Begins to keep the lines that this process logs. If it does not use Logback, the result stays
   * empty.
   */
  public static RecentLog attach() {
    return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        ? attachTo(context)
        : RecentLog.NONE;
  }

  static RecentLines attachTo(LoggerContext context) {
    RecentLines recent = new RecentLines();
    recent.setContext(context);
    recent.setName("RECENT");
    recent.addFilter(new RepetitionFilter());
    recent.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(recent);
    return recent;
  }

  @Override
  protected void append(ILoggingEvent event) {
    String logger = event.getLoggerName();
    keep(
        new Line(
            TimeUnit.MILLISECONDS.toMicros(event.getTimeStamp()),
            level(event.getLevel()),
            LogText.escaped(event.getThreadName()),
            LogText.escaped(logger.substring(logger.lastIndexOf('.') + 1)),
            message.convert(event),
            event.getThrowableProxy() == null ? "" : thrown.convert(event)));
  }

  private static org.slf4j.event.Level level(Level level) {
    return org.slf4j.event.Level.intToLevel(Level.toLocationAwareLoggerInteger(level));
  }

  private synchronized void keep(Line line) {
    lines.addLast(line);
    characters += size(line);
    while (characters > MAX_CHARACTERS && lines.size() > 1) {
      characters -= size(lines.removeFirst());
    }
  }

  private static int size(Line line) {
    return LINE_OVERHEAD
        + line.thread().length()
        + line.logger().length()
        + line.message().length()
        + line.stack().length();
  }

  @Override
  public boolean isKept() {
    return true;
  }

  @Override
  public synchronized List<Line> lines() {
    return List.copyOf(lines);
  }
}
