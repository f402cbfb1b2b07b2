package dev.kudu4j.common.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * A local index by the names of its columns, with a text form.
 *
 * <pre>
 *   LOCAL (column, ...)
 *   LOCAL (column, ...) INCLUDE (column, ...)
 *   LOCAL (column, ...) INCLUDE (*)              all other columns that the table has now
 *   UNIQUE ...                                   as LOCAL; no two rows may have equal values
 * </pre>
 *
 * <p>Words may be in any case. A name that contains white space, a comma, a parenthesis or a quote
 * is written in double quotes, with double quotes in it doubled.
 *
 * @param unique whether no two rows may have equal values
 * @param columns the indexed columns, the most significant first
 * @param included further columns whose cells the index contains; empty if {@code includesOthers}
 * @param includesOthers whether all columns that are not indexed are included
 */
public record IndexText(
    boolean unique, List<String> columns, List<String> included, boolean includesOthers) {
  static final String LOCAL = "LOCAL";
  static final String UNIQUE = "UNIQUE";

  public IndexText {
    columns = List.copyOf(columns);
    included = List.copyOf(included);
  }

  /**
   * Reads the text of an index.
   *
   * @param name of the index, for messages
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  public static IndexText parse(String name, String text) {
    return new IndexTextParser(name, text).parse();
  }

  /**
   * The index with this text.
   *
   * @param table has the columns of the index, with ids
   */
  public static IndexText of(IndexDefinition index, Schema table) {
    return new IndexText(
        index.uniqueness().isWanted(),
        names(index.columns(), table),
        names(index.included(), table),
        false);
  }

  private static List<String> names(List<Integer> ids, Schema table) {
    return ids.stream().map(id -> table.column(table.indexOfId(id)).name()).toList();
  }

  /**
   * The definition for a table, checked.
   *
   * @param table has the columns, with ids
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  public IndexDefinition define(int id, String name, Schema table) {
    List<Integer> indexed = ids(columns, name, table);
    List<Integer> others = ids(included, name, table);
    if (includesOthers) {
      others =
          table.columns().stream()
              .map(ColumnSchema::id)
              .filter(column -> !indexed.contains(column))
              .toList();
    }
    IndexDefinition index =
        new IndexDefinition(
            id, name, indexed, others, unique ? Uniqueness.PREPARING : Uniqueness.NOT_UNIQUE);
    index.check(table);
    return index;
  }

  private static List<Integer> ids(List<String> names, String index, Schema table) {
    return names.stream()
        .map(
            column -> {
              int position = table.indexOfName(column);
              if (position < 0) {
                throw KuduException.invalidArgument(
                    "Index %s: the table has no column %s", index, column);
              }
              return table.column(position).id();
            })
        .toList();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(unique ? UNIQUE : LOCAL).append(' ');
    append(columns, text);
    if (includesOthers) {
      text.append(" INCLUDE (*)");
    } else if (!included.isEmpty()) {
      append(included, text.append(" INCLUDE "));
    }
    return text.toString();
  }

  private static void append(List<String> names, StringBuilder text) {
    text.append('(');
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(quoted(names.get(i)));
    }
    text.append(')');
  }

  private static String quoted(String column) {
    boolean plain = !column.isEmpty() && column.chars().noneMatch(IndexTextParser::isSpecial);
    return plain && !column.equals("*") ? column : '"' + column.replace("\"", "\"\"") + '"';
  }
}
