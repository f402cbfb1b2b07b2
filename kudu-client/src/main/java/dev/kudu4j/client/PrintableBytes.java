package dev.kudu4j.client;

import java.util.Locale;

/** Formats bytes as quoted text. Printable ASCII is unchanged; other bytes are escaped. */
final class PrintableBytes {
  private PrintableBytes() {}

  static String of(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length + 2).append('"');
    for (byte b : bytes) {
      if (b == '"' || b == '\\') {
        text.append('\\').append((char) b);
      } else if (b >= 0x20 && b < 0x7f) {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xff));
      }
    }
    return text.append('"').toString();
  }
}
