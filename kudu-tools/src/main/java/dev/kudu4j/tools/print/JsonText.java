package dev.kudu4j.tools.print;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Values as JSON: numbers and booleans as they are, null, everything else as a string. */
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
    boolean bare = value == null || value instanceof Number || value instanceof Boolean;
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
