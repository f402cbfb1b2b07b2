package dev.kudu4j.tools.table.csv;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.SimilarName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Maps the cells of a line to the columns of the table. */
final class CsvHeader {
  private static final int IGNORED = -1;

  private final int[] columns;

  private CsvHeader(int[] columns) {
    this.columns = columns;
  }

  /**
   * Matches names with columns.
   *
   * @param ignored names whose cells are ignored
   * @throws KuduException if a name matches no column, or a column that needs a value has none
   */
  static CsvHeader match(List<String> names, Schema schema, Set<String> ignored) {
    int[] columns = new int[names.size()];
    boolean[] found = new boolean[schema.getColumnCount()];
    List<String> unknown = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      String name = names.get(i) == null ? "" : names.get(i).strip();
      columns[i] = ignored.contains(name) ? IGNORED : indexOf(name, schema);
      if (columns[i] >= 0 && found[columns[i]]) {
        throw KuduException.invalidArgument("The header contains column %s twice", name);
      } else if (columns[i] >= 0) {
        found[columns[i]] = true;
      } else if (!ignored.contains(name)) {
        unknown.add(name);
      }
    }
    if (!unknown.isEmpty()) {
      throw unknown(unknown, schema, found);
    }
    checkComplete(schema, found);
    return new CsvHeader(columns);
  }

  /**
   * The index of the column with that name or, if there is none, of the only column whose name
   * differs only in case; negative if there is no such column.
   */
  private static int indexOf(String name, Schema schema) {
    if (schema.hasColumn(name)) {
      return schema.getColumnIndex(name);
    }
    int found = IGNORED;
    for (int i = 0; i < schema.getColumnCount(); i++) {
      if (schema.getColumnByIndex(i).getName().equalsIgnoreCase(name)) {
        if (found >= 0) {
          return IGNORED;
        }
        found = i;
      }
    }
    return found;
  }

  private static KuduException unknown(List<String> unknown, Schema schema, boolean[] found) {
    List<String> free = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (!found[i]) {
        free.add(schema.getColumnByIndex(i).getName());
      }
    }
    String hints =
        unknown.stream().map(name -> SimilarName.hint(name, free)).collect(Collectors.joining());
    return KuduException.invalidArgument(
        "The header contains %s, which the table does not have; %s%s;"
            + " --ignore_columns=%s ignores such cells",
        quoted(unknown),
        hints,
        free.isEmpty()
            ? "it contains every column of the table already"
            : "columns of the table that it does not contain are " + String.join(", ", free),
        String.join(",", unknown));
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }

  private static void checkComplete(Schema schema, boolean[] found) {
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      ColumnSchema column = schema.getColumnByIndex(i);
      boolean needed =
          !column.isNullable() && column.getDefaultValue() == null && !column.isAutoIncrementing();
      if (!found[i] && needed) {
        missing.add(
            column.getName() + (column.isKey() ? " (key)" : " (NOT NULL, without default)"));
      }
    }
    if (!missing.isEmpty()) {
      throw KuduException.invalidArgument(
          "The header does not contain %s; rows cannot be inserted without values for"
              + " it. Use --header=NAMES for a file without a header",
          String.join(", ", missing));
    }
  }

  int size() {
    return columns.length;
  }

  /** The column of a cell; negative if the cell is ignored. */
  int column(int cell) {
    return columns[cell];
  }
}
