package dev.kudu4j.common.expression;

import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern of SQL's LIKE: {@code %} stands for any characters, {@code _} for one character, and
 * the escape character makes the character after it stand for itself. Matching works on UTF-8; in
 * other bytes, {@code _} stands for a byte and the continuation bytes that follow it.
 *
 * <p>The pattern is a list of runs between {@code %}s. The first and the last run are anchored; the
 * others are found from left to right, each at its first occurrence.
 */
public final class LikePattern {
  /** Stands for {@code _} in a run; negative, so that it differs from every unsigned byte. */
  private static final int ANY_CHARACTER = -1;

  private static final int[] EMPTY = {};

  private final String text;
  private final char escape;
  private final int[][] runs; // at least one; bytes as unsigned values, or ANY_CHARACTER
  private final int characters; // least number of bytes of a matching text

  private LikePattern(String text, char escape, int[][] runs) {
    this.text = text;
    this.escape = escape;
    this.runs = runs;
    this.characters = Arrays.stream(runs).mapToInt(run -> run.length).sum();
  }

  /** A pattern whose escape character is the backslash. */
  public static LikePattern of(String pattern) {
    return of(pattern, '\\');
  }

  /**
   * @throws KuduException INVALID_ARGUMENT if the escape character ends the pattern, or precedes a
   *     character that needs no escape
   */
  public static LikePattern of(String pattern, char escape) {
    List<int[]> runs = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    List<Integer> run = new ArrayList<>();
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at++);
      if (c == escape) {
        if (at == pattern.length() || !isSpecial(pattern.charAt(at), escape)) {
          throw KuduException.invalidArgument(
              "In the pattern '%s' the escape character %s must precede %%, _ or itself",
              pattern, escape);
        }
        literal.append(pattern.charAt(at++));
      } else if (c == '%') {
        flush(literal, run);
        runs.add(toArray(run));
        run.clear();
      } else if (c == '_') {
        flush(literal, run);
        run.add(ANY_CHARACTER);
      } else {
        literal.append(c);
      }
    }
    flush(literal, run);
    runs.add(toArray(run));
    return new LikePattern(pattern, escape, runs.toArray(new int[0][]));
  }

  private static boolean isSpecial(char c, char escape) {
    return c == '%' || c == '_' || c == escape;
  }

  private static void flush(StringBuilder literal, List<Integer> run) {
    for (byte b : literal.toString().getBytes(StandardCharsets.UTF_8)) {
      run.add(b & 0xff);
    }
    literal.setLength(0);
  }

  private static int[] toArray(List<Integer> run) {
    return run.isEmpty() ? EMPTY : run.stream().mapToInt(Integer::intValue).toArray();
  }

  public String text() {
    return text;
  }

  public char escape() {
    return escape;
  }

  /** The bytes with which every matching text starts. */
  public byte[] prefix() {
    int length = 0;
    while (length < runs[0].length && runs[0][length] != ANY_CHARACTER) {
      length++;
    }
    byte[] prefix = new byte[length];
    for (int i = 0; i < length; i++) {
      prefix[i] = (byte) runs[0][i];
    }
    return prefix;
  }

  /** Whether a string matches if and only if it starts with {@link #prefix}. */
  public boolean isPrefix() {
    return runs.length == 2 && runs[1].length == 0 && prefix().length == runs[0].length;
  }

  /** Whether a string matches if and only if it is {@link #prefix}. */
  public boolean isExact() {
    return runs.length == 1 && prefix().length == runs[0].length;
  }

  /** Whether the text in {@code [from, to)} matches. */
  public boolean matches(byte[] bytes, int from, int to) {
    if (to - from < characters) {
      return false;
    }
    int first = endOf(runs[0], bytes, from, to);
    if (runs.length == 1 || first < 0) {
      return first == to;
    }
    int at = first;
    for (int i = 1; i < runs.length - 1; i++) {
      at = find(runs[i], bytes, at, to);
      if (at < 0) {
        return false;
      }
    }
    return endsWith(runs[runs.length - 1], bytes, at, to);
  }

  /** The end of the run if it matches at {@code from}; else -1. */
  private static int endOf(int[] run, byte[] bytes, int from, int to) {
    int at = from;
    for (int expected : run) {
      if (at == to) {
        return -1;
      }
      if (expected == ANY_CHARACTER) {
        at = nextCharacter(bytes, at, to);
      } else if ((bytes[at++] & 0xff) != expected) {
        return -1;
      }
    }
    return at;
  }

  /** The end of the first occurrence of the run at or after {@code from}; -1 if there is none. */
  private static int find(int[] run, byte[] bytes, int from, int to) {
    boolean atCharacters = run.length > 0 && run[0] == ANY_CHARACTER;
    for (int at = from; at <= to; at++) {
      if (atCharacters && at > from && at < to && isContinuation(bytes[at])) {
        continue;
      }
      int end = endOf(run, bytes, at, to);
      if (end >= 0) {
        return end;
      }
    }
    return -1;
  }

  private static boolean endsWith(int[] run, byte[] bytes, int from, int to) {
    int at = to;
    for (int i = run.length - 1; i >= 0; i--) {
      if (at <= from) {
        return false;
      }
      if (run[i] == ANY_CHARACTER) {
        at = previousCharacter(bytes, from, at);
      } else if ((bytes[--at] & 0xff) != run[i]) {
        return false;
      }
    }
    return true;
  }

  private static int nextCharacter(byte[] bytes, int from, int to) {
    int at = from + 1;
    while (at < to && isContinuation(bytes[at])) {
      at++;
    }
    return at;
  }

  private static int previousCharacter(byte[] bytes, int from, int to) {
    int at = to - 1;
    while (at > from && isContinuation(bytes[at])) {
      at--;
    }
    return at;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LikePattern that && text.equals(that.text) && escape == that.escape;
  }

  @Override
  public int hashCode() {
    return 31 * text.hashCode() + escape;
  }

  @Override
  public String toString() {
    return text;
  }
}
