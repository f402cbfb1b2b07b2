package dev.kudu4j.common;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Captures the log lines of some classes while it is open. */
public final class LogCapture implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final List<Logger> loggers;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          events.add(event);
        }
      };

  private LogCapture(List<Class<?>> classes) {
    loggers = classes.stream().map(type -> (Logger) LoggerFactory.getLogger(type)).toList();
    appender.start();
    loggers.forEach(logger -> logger.addAppender(appender));
  }

  public static LogCapture of(Class<?>... classes) {
    return new LogCapture(List.of(classes));
  }

  /** The lines so far, without time and level. */
  public List<String> lines() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The lines with this level so far. */
  public List<String> lines(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    loggers.forEach(logger -> logger.detachAppender(appender));
  }
}
