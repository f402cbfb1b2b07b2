package dev.kudu4j.tools.console;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Selects names with patterns, in which * stands for any characters. */
public final class Names {
  private Names() {}

  /** Accepts the names that match a pattern; without patterns, all names. */
  public static Predicate<String> like(List<String> patterns) {
    if (patterns.isEmpty()) {
      return name -> true;
    }
    List<Pattern> compiled = patterns.stream().map(Names::compile).toList();
    return name -> compiled.stream().anyMatch(pattern -> pattern.matcher(name).matches());
  }

  private static Pattern compile(String pattern) {
    return Pattern.compile(
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")),
        Pattern.DOTALL);
  }
}
