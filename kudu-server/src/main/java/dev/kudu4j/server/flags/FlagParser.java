package dev.kudu4j.server.flags;

import dev.kudu4j.common.status.KuduException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads flags as Apache Kudu's daemons do.
 *
 * <pre>
 *   -x=v   --x=v   --x v        a value
 *   --x    --nox                a boolean
 *   --flagfile=FILE             one flag per line; # starts a comment
 * </pre>
 *
 * <p>Dash and underscore in names are equivalent; if a flag is repeated, the last value counts. A
 * flag of Apache Kudu that this server does not have is accepted with a warning. Any other unknown
 * flag is an error, whose message suggests the most similar name.
 */
public final class FlagParser {
  private static final int MAX_FILE_DEPTH = 8;
  private static final String APACHE_KUDU_FLAGS = "apache-kudu-flags.txt";

  private final OptionSet options;
  private final Map<String, String> apacheKuduTypes = readApacheKuduFlags();
  private final Map<String, Object> given = new LinkedHashMap<>();
  private final Map<String, String> givenApacheKudu = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final Deque<Path> files = new ArrayDeque<>();

  private FlagParser(OptionSet options) {
    this.options = options;
  }

  /**
   * @throws KuduException INVALID_ARGUMENT if the arguments are invalid, with a message for the
   *     user
   */
  public static Flags parse(OptionSet options, List<String> arguments) {
    FlagParser parser = new FlagParser(options);
    parser.read(arguments);
    parser.checkUnlocked();
    Flags flags = new Flags(options, parser.given, parser.warnings);
    MissingProtection.refuse(parser.givenApacheKudu, flags);
    return flags;
  }

  static String canonical(String name) {
    return name.replace('-', '_');
  }

  private void read(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--")) {
        requireNoMore(arguments, i + 1);
        return;
      }
      if (!argument.startsWith("-") || argument.length() < 2) {
        throw KuduException.invalidArgument(
            "'%s' is not a flag; flags look like --name=value", argument);
      }
      String body = argument.substring(argument.startsWith("--") ? 2 : 1);
      int equals = body.indexOf('=');
      String name = canonical(equals < 0 ? body : body.substring(0, equals));
      if (equals >= 0) {
        set(name, body.substring(equals + 1));
      } else if (isBool(name)) {
        set(name, "true");
      } else if (name.startsWith("no") && isBool(name.substring(2))) {
        set(name.substring(2), "false");
      } else if (isKnown(name)) {
        if (i + 1 == arguments.size()) {
          throw KuduException.invalidArgument("Flag --%s needs a value: --%s=...", name, name);
        }
        set(name, arguments.get(++i));
      } else {
        throw unknown(name);
      }
    }
  }

  private void checkUnlocked() {
    if (Boolean.TRUE.equals(given.get(ServerOptions.UNLOCK_UNSAFE.name()))) {
      return;
    }
    for (String name : given.keySet()) {
      Option<?> option = options.find(name);
      if (option != null && option.tags().contains(Tag.UNSAFE)) {
        throw KuduException.invalidArgument("%s", Flags.locked(name));
      }
    }
  }

  private static void requireNoMore(List<String> arguments, int from) {
    if (from < arguments.size()) {
      throw KuduException.invalidArgument(
          "'%s' is not a flag; flags look like --name=value", arguments.get(from));
    }
  }

  private boolean isBool(String name) {
    Option<?> option = options.find(name);
    return option != null
        ? option.type() == OptionType.BOOL
        : "bool".equals(apacheKuduTypes.get(name));
  }

  private boolean isKnown(String name) {
    return options.find(name) != null || apacheKuduTypes.containsKey(name);
  }

  private void set(String name, String text) {
    Option<?> option = options.find(name);
    if (option != null) {
      given.put(name, option.parse(text));
      if (name.equals(ServerOptions.FLAGFILE.name())) {
        readFiles(text);
      } else if (option.tags().contains(Tag.ACCEPTED)) {
        warnings.add("Flag --" + name + " is accepted but has no effect in Kudu4j");
      }
    } else if (apacheKuduTypes.containsKey(name)) {
      givenApacheKudu.put(name, text);
      warnings.add("Flag --" + name + " of Apache Kudu does not exist in Kudu4j and is ignored");
    } else {
      throw unknown(name);
    }
  }

  private void readFiles(String commaSeparated) {
    for (String file : commaSeparated.split(",")) {
      if (!file.isBlank()) {
        readFile(Path.of(file.trim()));
      }
    }
  }

  private void readFile(Path file) {
    if (files.size() == MAX_FILE_DEPTH) {
      throw KuduException.invalidArgument(
          "Flag files are nested more than %d levels deep: %s", MAX_FILE_DEPTH, files);
    }
    files.push(file);
    List<String> arguments = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String flag = line.strip();
        if (!flag.isEmpty() && !flag.startsWith("#")) {
          arguments.add(flag.startsWith("-") ? flag : "--" + flag);
        }
      }
    } catch (IOException e) {
      throw KuduException.invalidArgument("Cannot read the flag file %s: %s", file, e);
    }
    read(arguments);
    files.pop();
  }

  private KuduException unknown(String name) {
    String nearest = nearest(name);
    return KuduException.invalidArgument(
        "Unknown flag --%s%s", name, nearest == null ? "" : "; did you mean --" + nearest + "?");
  }

  /** The most similar name among the options of this server; null if none is similar. */
  private @Nullable String nearest(String name) {
    @Nullable String best = null;
    int bestDistance = Math.max(3, name.length() / 2);
    for (Option<?> option : options.all()) {
      int distance = editDistance(name, option.name());
      if (distance < bestDistance) {
        best = option.name();
        bestDistance = distance;
      }
    }
    return best;
  }

  /**
   * The smallest number of characters to insert, remove or replace to turn {@code a} into {@code
   * b}.
   */
  static int editDistance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }

  private static Map<String, String> readApacheKuduFlags() {
    Map<String, String> types = new HashMap<>();
    try (InputStream in = FlagParser.class.getResourceAsStream(APACHE_KUDU_FLAGS);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        if (!line.startsWith("#") && space > 0) {
          types.put(line.substring(0, space), line.substring(space + 1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }
}
