package dev.kudu4j.tools.logging;

import java.util.Locale;

/** Formats text for the log: on one line and with limited length. */
final class LogText {
  /** Longer messages are cut. */
  static final int MAX_CHARACTERS = 4096;

  private LogText() {}

  /**
   * The text with line ends and other control characters escaped, for example as {@code \n}, so it
   * cannot imitate a separate log line; truncated after {@link #MAX_CHARACTERS}.
   */
  static String escaped(String text) {
    if (text == null) {
      return "null";
    }
    int length = Math.min(text.length(), MAX_CHARACTERS);
    StringBuilder line = null;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (breaksLine(c)) {
        if (line == null) {
          line = new StringBuilder(length + 16).append(text, 0, i);
        }
        appendEscape(line, c);
      } else if (line != null) {
        line.append(c);
      }
    }
    String shown = line == null ? text.substring(0, length) : line.toString();
    return length == text.length()
        ? shown
        : shown + "... (" + (text.length() - length) + " more characters)";
  }

  private static boolean breaksLine(char c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.FORMAT; // including those that change the direction of writing
  }

  private static void appendEscape(StringBuilder line, char c) {
    switch (c) {
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
    }
  }
}
