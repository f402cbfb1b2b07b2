package dev.kudu4j.common.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.HashSet;
import java.util.List;

/**
 * An index by the names of its columns, with a text form.
 *
 * <pre>
 *   LOCAL (column, ...)
 *   LOCAL (column, ...) INCLUDE (column, ...)
 *   LOCAL (column, ...) INCLUDE (*)              all other columns that the table has now
 *   UNIQUE ...                                   as LOCAL; no two rows may have equal values
 *   GLOBAL ... [HASH (column, ...)] [BUCKETS n]  as LOCAL, in n tablets of its own
 *   CLUSTERING (column, ...) [HASH ...] ...      as GLOBAL (column, ...) INCLUDE (*)
 *   UNIQUE GLOBAL (column, ...) [BUCKETS n]      as UNIQUE, of any columns: writers claim values in
 *                                                n tablets
 * </pre>
 *
 * <p>Words may be in any case. A name that contains white space, a comma, a parenthesis or a quote
 * is written in double quotes, with double quotes in it doubled.
 *
 * @param kind where its rows are
 * @param unique whether no two rows may have equal values
 * @param columns the indexed columns, the most significant first
 * @param included further columns whose cells the index contains; empty if {@code includesOthers}
 * @param includesOthers whether all columns that are not indexed are included
 * @param hashed the columns by whose hash the rows of a global index are distributed; empty for
 *     those by which the table is hashed, or else the primary key
 * @param buckets the number of the index's own tablets; 0 for a local one
 */
public record IndexText(
    IndexKind kind,
    boolean unique,
    List<String> columns,
    List<String> included,
    boolean includesOthers,
    List<String> hashed,
    int buckets) {
  static final String LOCAL = "LOCAL";
  static final String UNIQUE = "UNIQUE";
  static final String GLOBAL = "GLOBAL";
  static final String CLUSTERING = "CLUSTERING";
  static final String HASH = "HASH";
  static final String BUCKETS = "BUCKETS";

  public IndexText {
    columns = List.copyOf(columns);
    included = List.copyOf(included);
    hashed = List.copyOf(hashed);
  }

  /** A local index. */
  public static IndexText local(
      boolean unique, List<String> columns, List<String> included, boolean includesOthers) {
    return new IndexText(IndexKind.LOCAL, unique, columns, included, includesOthers, List.of(), 0);
  }

  /** A global index that is distributed by the table's primary key. */
  public static IndexText global(
      List<String> columns, List<String> included, boolean includesOthers) {
    return new IndexText(
        IndexKind.GLOBAL,
        false,
        columns,
        included,
        includesOthers,
        List.of(),
        IndexBuckets.DEFAULT_COUNT);
  }

  /** A unique index whose values are claimed. */
  public static IndexText claimed(List<String> columns, int buckets) {
    return new IndexText(IndexKind.CLAIMED, true, columns, List.of(), false, List.of(), buckets);
  }

  /** This global index, distributed otherwise. */
  public IndexText withBuckets(List<String> byColumns, int count) {
    return new IndexText(kind, unique, columns, included, includesOthers, byColumns, count);
  }

  private boolean isGlobal() {
    return kind == IndexKind.GLOBAL;
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
    boolean clusters = index.isGlobal() && includesAll(index, table);
    return new IndexText(
        index.kind(),
        index.uniqueness().isWanted(),
        names(index.columns(), table),
        clusters ? List.of() : names(index.included(), table),
        clusters,
        names(index.buckets().columns(), table),
        index.buckets().count());
  }

  /** Whether the table has included columns, and the index all of them. */
  private static boolean includesAll(IndexDefinition index, Schema table) {
    return !index.included().isEmpty()
        && new HashSet<>(index.included()).containsAll(others(index.columns(), table, true));
  }

  /**
   * Columns that are not indexed.
   *
   * @param withoutKey whether those of the primary key are left out: a global index has them anyway
   */
  private static List<Integer> others(List<Integer> indexed, Schema table, boolean withoutKey) {
    int first = withoutKey ? table.keyColumnCount() : 0;
    return table.columns().subList(first, table.columnCount()).stream()
        .map(ColumnSchema::id)
        .filter(column -> !indexed.contains(column))
        .toList();
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
      others = others(indexed, table, isGlobal());
    }
    IndexDefinition index =
        new IndexDefinition(
            id,
            name,
            kind,
            indexed,
            others,
            unique ? Uniqueness.PREPARING : Uniqueness.NOT_UNIQUE,
            kind == IndexKind.LOCAL
                ? IndexBuckets.NONE
                : new IndexBuckets(ids(hashed, name, table), buckets));
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
    boolean clusters = isGlobal() && includesOthers;
    StringBuilder text = new StringBuilder(clusters ? CLUSTERING : word()).append(' ');
    append(columns, text);
    if (includesOthers && !clusters) {
      text.append(" INCLUDE (*)");
    } else if (!included.isEmpty()) {
      append(included, text.append(" INCLUDE "));
    }
    if (!hashed.isEmpty()) {
      append(hashed, text.append(' ').append(HASH).append(' '));
    }
    if (kind != IndexKind.LOCAL && buckets != IndexBuckets.DEFAULT_COUNT) {
      text.append(' ').append(BUCKETS).append(' ').append(buckets);
    }
    return text.toString();
  }

  private String word() {
    return switch (kind) {
      case LOCAL -> unique ? UNIQUE : LOCAL;
      case GLOBAL -> GLOBAL;
      case CLAIMED -> UNIQUE + " " + GLOBAL;
    };
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
