package dev.kudu4j.common.id;

import com.google.protobuf.ByteString;

/**
 * Formats untrusted text for messages and log lines: in quotes, shortened, with everything except
 * printable ASCII escaped. Such text cannot be mistaken for a part of the message.
 */
public final class UntrustedText {
  private static final int MAX_CHARACTERS = 64;

  private UntrustedText() {}

  public static String format(String text) {
    int shownLength = Math.min(text.length(), MAX_CHARACTERS);
    StringBuilder shown = new StringBuilder(shownLength + 2).append('\'');
    for (int i = 0; i < shownLength; i++) {
      append(shown, text.charAt(i));
    }
    shown.append('\'');
    return shownLength == text.length()
        ? shown.toString()
        : shown.append("... (").append(text.length()).append(" characters)").toString();
  }

  /** Formats untrusted bytes, which need not be text. */
  public static String format(ByteString bytes) {
    int max = Math.min(bytes.size(), MAX_CHARACTERS + 1);
    StringBuilder text = new StringBuilder(max);
    for (int i = 0; i < max; i++) {
      text.append((char) (bytes.byteAt(i) & 0xFF));
    }
    return bytes.size() <= MAX_CHARACTERS
        ? format(text.toString())
        : format(text.substring(0, MAX_CHARACTERS)) + "... (" + bytes.size() + " bytes)";
  }

  private static void append(StringBuilder shown, char c) {
    if (c == '\'' || c == '\\') {
      shown.append('\\').append(c);
    } else if (c >= ' ' && c <= '~') {
      shown.append(c);
    } else {
      shown.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
    }
  }
}
