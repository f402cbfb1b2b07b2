package dev.kudu4j.util;

/** Formatting of text. */
public final class StringUtil {
  private StringUtil() {}

  /** Appends text; escapes the characters that would end or break an SQL literal. */
  public static void appendEscapedSQLString(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case 0 -> out.append("\\0");
        case '\b' -> out.append("\\b");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case 26 -> out.append("\\Z");
        case '\'' -> out.append("\\'");
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        default -> out.append(c);
      }
    }
  }
}
