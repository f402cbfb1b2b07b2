package dev.kudu4j.tools.connection;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests a similar name. */
public final class SimilarName {
  private SimilarName() {}

  /** {@code did you mean 'x'? }; empty if no name is similar. */
  public static String hint(String name, Collection<String> names) {
    return find(name, names).map(found -> "did you mean '" + found + "'? ").orElse("");
  }

  static Optional<String> find(String name, Collection<String> names) {
    int bound = 1 + name.length() / 4;
    return names.stream()
        .filter(each -> distance(lower(name), lower(each)) <= bound)
        .min(Comparator.comparingInt(each -> distance(lower(name), lower(each))));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Number of letters to insert, remove or replace. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int exchange = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(exchange, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
