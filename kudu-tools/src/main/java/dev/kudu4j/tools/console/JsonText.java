package dev.kudu4j.tools.console;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Values as JSON: finite numbers and booleans as they are, null, everything else as a string. */
public final class JsonText {
  private JsonText() {}

  /** An object on one line. */
  public static String object(List<String> names, List<?> values) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      members.add(quoted(names.get(i)) + ": " + value(values.get(i)));
    }
    return "{" + String.join(", ", members) + "}";
  }

  public static String value(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    boolean number = value instanceof Number each && Double.isFinite(each.doubleValue());
    boolean bare = value == null || number || value instanceof Boolean;
    return bare ? String.valueOf(value) : quoted(value.toString());
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
