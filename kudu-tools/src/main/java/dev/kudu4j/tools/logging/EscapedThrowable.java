package dev.kudu4j.tools.logging;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/** The exception of an event with its causes; their messages are escaped like that of the event. */
public final class EscapedThrowable extends ThrowableHandlingConverter {
  private static final int MAX_CAUSES = 10;
  private static final int MAX_FRAMES = 60;

  @Override
  public String convert(ILoggingEvent event) {
    StringBuilder text = new StringBuilder();
    IThrowableProxy thrown = event.getThrowableProxy();
    for (int i = 0; thrown != null && i < MAX_CAUSES; i++) {
      append(text, i == 0 ? "" : "Caused by: ", thrown);
      thrown = thrown.getCause();
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String prefix, IThrowableProxy thrown) {
    text.append(prefix).append(thrown.getClassName());
    if (thrown.getMessage() != null) {
      text.append(": ").append(LogText.escaped(thrown.getMessage()));
    }
    text.append(System.lineSeparator());
    StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
    int shown = Math.min(MAX_FRAMES, frames.length - thrown.getCommonFrames());
    for (int i = 0; i < shown; i++) {
      text.append('\t').append(frames[i].getSTEAsString()).append(System.lineSeparator());
    }
    if (shown < frames.length) {
      text.append("\t... ").append(frames.length - shown).append(" more frames");
      text.append(System.lineSeparator());
    }
  }
}
