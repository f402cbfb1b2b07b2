package dev.kudu4j.tools.logging;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.stream.Collectors;

/** The message of an event on one line, with control characters of its values escaped. */
public final class EscapedMessage extends ClassicConverter {
  @Override
  public String convert(ILoggingEvent event) {
    String message = LogText.escaped(event.getFormattedMessage());
    if (event.getKeyValuePairs() == null) {
      return message;
    }
    return event.getKeyValuePairs().stream()
        .map(pair -> pair.key + ": " + LogText.escaped(String.valueOf(pair.value)))
        .collect(Collectors.joining(", ", message + " (", ")"));
  }
}
