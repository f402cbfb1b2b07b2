package dev.kudu4j.common.schema;

import dev.kudu4j.common.status.KuduException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An ordered list of columns, key columns first. Immutable.
 *
 * <p>A schema belongs to a table (all columns have ids), a client (no ids) or a projection (any
 * columns in any order). An index is a position in this schema, from 0.
 */
public final class Schema {
  private final List<ColumnSchema> columns;
  private final int keyColumnCount;
  private final boolean anyNullable;
  private final Map<String, Integer> indexByName;
  private final Map<Integer, Integer> indexById;

  /**
   * @throws KuduException INVALID_ARGUMENT if two columns have the same name or id
   */
  public Schema(List<ColumnSchema> columns) {
    this.columns = List.copyOf(columns);
    this.indexByName = new HashMap<>();
    this.indexById = new HashMap<>();
    int keys = 0;
    boolean nullable = false;
    for (int i = 0; i < columns.size(); i++) {
      ColumnSchema column = columns.get(i);
      if (indexByName.put(column.name(), i) != null) {
        throw KuduException.invalidArgument("Duplicate column name: %s", column.name());
      }
      if (column.id() != ColumnSchema.NO_ID && indexById.put(column.id(), i) != null) {
        throw KuduException.invalidArgument("Duplicate column id: %d", column.id());
      }
      if (column.isKey() && keys == i) {
        keys++;
      }
      nullable |= column.isNullable();
    }
    this.keyColumnCount = keys;
    this.anyNullable = nullable;
  }

  public List<ColumnSchema> columns() {
    return columns;
  }

  public int columnCount() {
    return columns.size();
  }

  public ColumnSchema column(int index) {
    return columns.get(index);
  }

  /** The number of key columns: the leading columns that are marked as key columns. */
  public int keyColumnCount() {
    return keyColumnCount;
  }

  public boolean hasNullableColumns() {
    return anyNullable;
  }

  /** The index of the column with this name; -1 if there is none. */
  public int indexOfName(String name) {
    return indexByName.getOrDefault(name, -1);
  }

  /** The index of the column with this id; -1 if there is none. */
  public int indexOfId(int id) {
    return indexById.getOrDefault(id, -1);
  }

  public boolean hasIds() {
    return indexById.size() == columns.size();
  }

  /** This schema with the ids 0, 1, 2, ... in column order. A new table gets these ids. */
  public Schema withFreshIds() {
    ColumnSchema[] numbered = new ColumnSchema[columns.size()];
    for (int i = 0; i < numbered.length; i++) {
      numbered[i] = columns.get(i).toBuilder().id(i).build();
    }
    return new Schema(List.of(numbered));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema that && columns.equals(that.columns);
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
