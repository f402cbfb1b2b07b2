package dev.kudu4j.spark.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of columns as the text of a property or an option: separated by commas, and in backquotes,
 * as in SQL, if they contain a comma or a backquote.
 *
 * <pre>
 *   id, `last, first`, `a``b`
 * </pre>
 */
public final class NameList {
  /** A quoted name, or anything else up to the next comma. */
  private static final Pattern NAME =
      Pattern.compile("\\s*(?:`(?<quoted>(?:[^`]++|``)++)`|(?<plain>(?!\\s|`)[^,]*))\\s*(?:,|\\z)");

  private NameList() {}

  /** The text of names. */
  public static String text(List<String> names) {
    return names.stream().map(NameList::text).collect(Collectors.joining(", "));
  }

  private static String text(String name) {
    boolean plain = name.equals(name.strip()) && !name.contains(",") && !name.contains("`");
    return plain ? name : quoted(name);
  }

  /** A name in backquotes. */
  public static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /**
   * The names of a string, without empty ones.
   *
   * @throws IllegalArgumentException for backquotes that do not enclose a name
   */
  public static List<String> parse(String text) {
    List<String> names = new ArrayList<>();
    Matcher name = NAME.matcher(text);
    for (int at = 0; at < text.length(); at = name.end()) {
      if (!name.region(at, text.length()).lookingAt()) {
        throw new IllegalArgumentException(
            "The names "
                + text
                + " have a backquote that does not enclose one of them; separate names by commas,"
                + " and write a backquote in a name as `a``b`");
      }
      String quoted = name.group("quoted");
      String found = quoted == null ? name.group("plain").strip() : quoted.replace("``", "`");
      if (!found.isEmpty()) {
        names.add(found);
      }
    }
    return names;
  }
}
