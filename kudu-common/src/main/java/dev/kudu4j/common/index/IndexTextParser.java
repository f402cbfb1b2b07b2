package dev.kudu4j.common.index;

import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/** Reads the text form of {@link IndexText}, from left to right. */
final class IndexTextParser {
  private static final String FORM =
      "an index is written LOCAL (column, ...) or LOCAL (column, ...) INCLUDE (column, ... or *),"
          + " with UNIQUE instead of LOCAL if no two rows may have equal values, with GLOBAL if it"
          + " has tablets of its own, or CLUSTERING (column, ...) if these contain all columns;"
          + " HASH (column, ...) and BUCKETS n may follow for the last two; UNIQUE GLOBAL (column,"
          + " ...) BUCKETS n is unique over all tablets";

  private static final String INCLUDE = "INCLUDE";
  private static final int MAX_DIGITS = 9;

  private final String name;
  private final String text;
  private int at;

  IndexTextParser(String name, String text) {
    this.name = name;
    this.text = text;
  }

  IndexText parse() {
    boolean clusters = skipWord(IndexText.CLUSTERING);
    if (clusters || skipWord(IndexText.GLOBAL)) {
      return global(clusters);
    }
    boolean unique = skipWord(IndexText.UNIQUE);
    if (unique && skipWord(IndexText.GLOBAL)) {
      return claimed();
    }
    if (!unique) {
      expectWord(IndexText.LOCAL);
    }
    IndexText index = IndexText.local(unique, columns(), List.of(), false);
    if (!hasMore()) {
      return index;
    }
    expectWord(INCLUDE);
    boolean others = skipOthers();
    index = IndexText.local(unique, index.columns(), others ? List.of() : columns(), others);
    expectEnd();
    return index;
  }

  private IndexText claimed() {
    List<String> columns = columns();
    int buckets = skipWord(IndexText.BUCKETS) ? number() : IndexBuckets.DEFAULT_COUNT;
    expectEnd();
    return IndexText.claimed(columns, buckets);
  }

  private IndexText global(boolean clusters) {
    List<String> columns = columns();
    boolean others = clusters;
    List<String> included = List.of();
    if (!clusters && skipWord(INCLUDE)) {
      others = skipOthers();
      included = others ? List.of() : columns();
    }
    List<String> hashed = skipWord(IndexText.HASH) ? columns() : List.of();
    int buckets = skipWord(IndexText.BUCKETS) ? number() : IndexBuckets.DEFAULT_COUNT;
    expectEnd();
    return IndexText.global(columns, included, others).withBuckets(hashed, buckets);
  }

  private void expectEnd() {
    if (hasMore()) {
      throw invalid("the end");
    }
  }

  private int number() {
    skipSpace();
    int start = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start || at - start > MAX_DIGITS) {
      at = start;
      throw invalid("a number");
    }
    return Integer.parseInt(text.substring(start, at));
  }

  static boolean isSpecial(int character) {
    return Character.isWhitespace(character) || ",()\"".indexOf(character) >= 0;
  }

  /** Reads {@code (*)} if that is what follows. */
  private boolean skipOthers() {
    int start = at;
    skipSpace();
    if (skip('(')) {
      skipSpace();
      if (skip('*')) {
        skipSpace();
        if (skip(')')) {
          return true;
        }
      }
    }
    at = start;
    return false;
  }

  private List<String> columns() {
    skipSpace();
    expect('(');
    List<String> columns = new ArrayList<>();
    do {
      columns.add(column());
      skipSpace();
    } while (skip(','));
    expect(')');
    return columns;
  }

  private String column() {
    skipSpace();
    StringBuilder column = new StringBuilder();
    if (skip('"')) {
      while (at < text.length()) {
        if (skip('"')) {
          if (!skip('"')) {
            return column.toString();
          }
          column.append('"');
        } else {
          column.append(text.charAt(at++));
        }
      }
      throw invalid("a double quote");
    }
    while (at < text.length() && !isSpecial(text.charAt(at))) {
      column.append(text.charAt(at++));
    }
    if (column.length() == 0 || column.toString().equals("*")) {
      at -= column.length();
      throw invalid("a column name");
    }
    return column.toString();
  }

  private void expectWord(String word) {
    if (!skipWord(word)) {
      throw invalid(word);
    }
  }

  private boolean skipWord(String word) {
    skipSpace();
    boolean found = text.regionMatches(true, at, word, 0, word.length());
    at += found ? word.length() : 0;
    return found;
  }

  private boolean hasMore() {
    skipSpace();
    return at < text.length();
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean skip(char character) {
    if (at >= text.length() || text.charAt(at) != character) {
      return false;
    }
    at++;
    return true;
  }

  private void expect(char character) {
    if (!skip(character)) {
      throw invalid("'" + character + "'");
    }
  }

  private KuduException invalid(String expected) {
    return KuduException.invalidArgument(
        "Index %s: expected %s at position %d of %s; %s",
        name, expected, at, UntrustedText.format(text), FORM);
  }
}
