package dev.kudu4j.common.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The text form of an index, with the names of columns.
 *
 * <pre>
 *   LOCAL (column, ...)
 *   LOCAL (column, ...) INCLUDE (column, ...)
 *   LOCAL (column, ...) INCLUDE (*)              all other columns that the table has now
 * </pre>
 *
 * <p>Words may be in any case. A name that contains white space, a comma, a parenthesis or a quote
 * is written in double quotes, with double quotes in it doubled.
 */
public final class IndexText {
  private static final String FORM =
      "an index is written LOCAL (column, ...) or LOCAL (column, ...) INCLUDE (column, ... or *)";

  private final String name;
  private final String text;
  private int at;

  private IndexText(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /**
   * Reads and checks an index.
   *
   * @param table has the columns, with ids
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  public static IndexDefinition parse(int id, String name, String text, Schema table) {
    IndexText reader = new IndexText(name, text);
    reader.expectWord("LOCAL");
    List<Integer> columns = reader.columns(table);
    List<Integer> included = List.of();
    if (reader.hasMore()) {
      reader.expectWord("INCLUDE");
      included = reader.isAllOthers() ? allBut(columns, table) : reader.columns(table);
    }
    if (reader.hasMore()) {
      throw reader.invalid("the end");
    }
    IndexDefinition index = new IndexDefinition(id, name, columns, included);
    index.check(table);
    return index;
  }

  /**
   * The text of an index.
   *
   * @param table has the columns of the index, with ids
   */
  public static String format(IndexDefinition index, Schema table) {
    StringBuilder text = new StringBuilder("LOCAL ");
    append(index.columns(), table, text);
    if (!index.included().isEmpty()) {
      append(index.included(), table, text.append(" INCLUDE "));
    }
    return text.toString();
  }

  private static void append(List<Integer> ids, Schema table, StringBuilder text) {
    text.append('(');
    for (int i = 0; i < ids.size(); i++) {
      String column = table.column(table.indexOfId(ids.get(i))).name();
      text.append(i == 0 ? "" : ", ").append(quoted(column));
    }
    text.append(')');
  }

  private static String quoted(String column) {
    boolean plain = !column.isEmpty() && column.chars().noneMatch(IndexText::isSpecial);
    return plain && !column.equals("*") ? column : '"' + column.replace("\"", "\"\"") + '"';
  }

  private static boolean isSpecial(int character) {
    return Character.isWhitespace(character) || ",()\"".indexOf(character) >= 0;
  }

  private static List<Integer> allBut(List<Integer> columns, Schema table) {
    return table.columns().stream()
        .map(ColumnSchema::id)
        .filter(id -> !columns.contains(id))
        .toList();
  }

  private boolean isAllOthers() {
    int start = at;
    skipSpace();
    if (next() == '(') {
      at++;
      skipSpace();
      if (next() == '*') {
        at++;
        skipSpace();
        expect(')');
        return true;
      }
    }
    at = start;
    return false;
  }

  private List<Integer> columns(Schema table) {
    skipSpace();
    expect('(');
    List<Integer> ids = new ArrayList<>();
    do {
      String column = column();
      int index = table.indexOfName(column);
      if (index < 0) {
        throw KuduException.invalidArgument("Index %s: the table has no column %s", name, column);
      }
      ids.add(table.column(index).id());
      skipSpace();
    } while (skip(','));
    expect(')');
    return ids;
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
    if (column.length() == 0) {
      throw invalid("a column name");
    }
    return column.toString();
  }

  private void expectWord(String word) {
    skipSpace();
    if (!text.substring(at).toUpperCase(Locale.ROOT).startsWith(word)) {
      throw invalid(word);
    }
    at += word.length();
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

  private char next() {
    return at < text.length() ? text.charAt(at) : '\0';
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
        "Index %s: expected %s at position %d of \"%s\"; %s", name, expected, at, text, FORM);
  }
}
