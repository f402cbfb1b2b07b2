package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.spark.KuduOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Maps the columns of the data to the columns of a table by name: to the column with the same name
 * or, if there is none, to the only column whose name is equal ignoring case.
 */
final class ColumnMatch {
  static final int NOWHERE = -1;

  private final String table;
  private final StructType data;
  private final Schema schema;
  private final int[] targets;

  private ColumnMatch(String table, StructType data, Schema schema, int[] targets) {
    this.table = table;
    this.data = data;
    this.schema = schema;
    this.targets = targets;
  }

  static ColumnMatch of(String table, StructType data, Schema schema) {
    int[] targets = new int[data.length()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = find(data.apply(i).name(), schema);
    }
    return new ColumnMatch(table, data, schema, targets);
  }

  private static int find(String name, Schema schema) {
    if (schema.hasColumn(name)) {
      return schema.getColumnIndex(name);
    }
    int found = NOWHERE;
    for (int i = 0; i < schema.getColumnCount(); i++) {
      if (schema.getColumnByIndex(i).getName().equalsIgnoreCase(name)) {
        if (found != NOWHERE) {
          return NOWHERE;
        }
        found = i;
      }
    }
    return found;
  }

  /** The table's column for each column of the data, or {@link #NOWHERE}. */
  int[] targets() {
    return targets.clone();
  }

  /**
   * Like {@link #targets} for key columns and those that are named; all others are {@link
   * #NOWHERE}.
   *
   * @param names empty for all columns
   * @throws IllegalArgumentException if the table lacks one of them
   */
  int[] targets(List<String> names) {
    if (names.isEmpty()) {
      return targets();
    }
    Set<Integer> written = new HashSet<>();
    for (String name : names) {
      int column = find(name, schema);
      if (column == NOWHERE) {
        throw new IllegalArgumentException(
            "Table "
                + table
                + " has no column "
                + name
                + ", which option "
                + KuduOptions.WRITTEN_COLUMNS
                + " names");
      }
      written.add(column);
    }
    return Arrays.stream(targets)
        .map(target -> isKey(target) || written.contains(target) ? target : NOWHERE)
        .toArray();
  }

  private boolean isKey(int target) {
    return target < schema.getPrimaryKeyColumnCount();
  }

  /** Like {@link #targets} for key columns; all others are {@link #NOWHERE}. */
  int[] keyTargets() {
    return Arrays.stream(targets).map(target -> isKey(target) ? target : NOWHERE).toArray();
  }

  /** The columns of the data that the table does not have. */
  List<StructField> unknownColumns() {
    List<StructField> unknownColumns = new ArrayList<>();
    for (int i = 0; i < targets.length; i++) {
      if (targets[i] == NOWHERE) {
        unknownColumns.add(data.apply(i));
      }
    }
    return unknownColumns;
  }

  /**
   * Checks the mapping before the first row: every required column of the table has a source and,
   * unless {@code unknownColumnsAllowed}, every column of the data has a target.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  void check(WriteOperation operation, boolean unknownColumnsAllowed) {
    if (!unknownColumnsAllowed && !unknownColumns().isEmpty()) {
      throw new IllegalArgumentException(
          "Table "
              + table
              + " has no column "
              + String.join(", ", unknownColumns().stream().map(StructField::name).toList())
              + "; drop it from the data, or set kudu.handleSchemaDrift to true to have it added");
    }
    checkNoneTwice();
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < schema.getColumnCount(); i++) {
      ColumnSchema column = schema.getColumnByIndex(i);
      if (isNeeded(column, operation) && !isFilled(i)) {
        missing.add(column.getName());
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "The data has no column "
              + String.join(", ", missing)
              + ", which "
              + operation.optionValue()
              + " into table "
              + table
              + " needs");
    }
  }

  private void checkNoneTwice() {
    for (int i = 0; i < targets.length; i++) {
      for (int j = 0; j < i; j++) {
        if (targets[i] == targets[j] && targets[i] != NOWHERE) {
          throw new IllegalArgumentException(
              "Columns "
                  + data.apply(j).name()
                  + " and "
                  + data.apply(i).name()
                  + " of the data are both column "
                  + schema.getColumnByIndex(targets[i]).getName()
                  + " of table "
                  + table);
        }
      }
    }
  }

  private static boolean isNeeded(ColumnSchema column, WriteOperation operation) {
    if (column.isAutoIncrementing()) {
      return !operation.createsRows();
    }
    return column.isKey()
        || (operation.createsRows() && !column.isNullable() && column.getDefaultValue() == null);
  }

  private boolean isFilled(int index) {
    return Arrays.stream(targets).anyMatch(target -> target == index);
  }
}
