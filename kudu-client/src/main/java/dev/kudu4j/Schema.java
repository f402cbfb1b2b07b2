package dev.kudu4j;

import dev.kudu4j.client.PartialRow;
import dev.kudu4j.common.schema.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Ordered columns, those of the primary key first. Immutable. Wraps the internal form of a schema.
 *
 * <p>If the key is not unique, an auto-incrementing column follows the key's own columns; the
 * server assigns its values.
 */
public final class Schema {
  private static final String AUTO_INCREMENTING_NAME = "auto_incrementing_id";

  private final List<ColumnSchema> columns;
  private final dev.kudu4j.common.schema.Schema schema;
  private final List<ColumnSchema> keyColumns;
  private final boolean keyUnique;
  private final boolean anyImmutable;
  private final boolean anyArray;
  private final int isDeletedIndex;
  private final int[] offsets;
  private final int rowSize;
  private final int varLengthCount;
  private final PartialRow blank;

  public Schema(List<ColumnSchema> columns) {
    this(columns, List.of());
  }

  /**
   * @param columnIds the id of each column; empty if they are not known
   */
  public Schema(List<ColumnSchema> columns, List<Integer> columnIds) {
    this(withIds(withAutoIncrementing(columns), columnIds).toArray(new ColumnSchema[0]));
  }

  /**
   * Takes columns that have their ids, if known, and contain the auto-incrementing column, if any.
   */
  private Schema(ColumnSchema[] all) {
    this.columns = List.of(all);
    checkNames(columns);
    this.schema =
        new dev.kudu4j.common.schema.Schema(columns.stream().map(ColumnSchema::toCommon).toList());
    this.keyColumns = columns.stream().filter(ColumnSchema::isKey).toList();
    this.keyUnique = columns.stream().noneMatch(ColumnSchema::isAutoIncrementing);
    this.anyImmutable = columns.stream().anyMatch(ColumnSchema::isImmutable);
    this.anyArray = columns.stream().anyMatch(ColumnSchema::isArray);
    this.offsets = new int[columns.size()];
    int offset = 0;
    int varLength = 0;
    int deleted = -1;
    for (int i = 0; i < offsets.length; i++) {
      ColumnSchema column = columns.get(i);
      offsets[i] = offset;
      offset += column.getTypeSize();
      varLength += column.getType().isFixedSize() ? 0 : 1;
      deleted = column.getWireType() == DataType.IS_DELETED ? i : deleted;
    }
    this.rowSize = offset + (schema.hasNullableColumns() ? (offsets.length + 7) / 8 : 0);
    this.varLengthCount = varLength;
    this.isDeletedIndex = deleted;
    this.blank = new PartialRow(this);
  }

  /** Wraps an internal schema. */
  public static Schema of(dev.kudu4j.common.schema.Schema schema) {
    boolean keyUnique =
        schema.columns().stream()
            .noneMatch(dev.kudu4j.common.schema.ColumnSchema::isAutoIncrementing);
    List<ColumnSchema> columns = new ArrayList<>(schema.columnCount());
    for (dev.kudu4j.common.schema.ColumnSchema column : schema.columns()) {
      columns.add(ColumnSchema.of(column, column.isKey() && keyUnique));
    }
    return new Schema(columns.toArray(new ColumnSchema[0]));
  }

  private static List<ColumnSchema> withAutoIncrementing(List<ColumnSchema> given) {
    boolean unique = false;
    boolean notUnique = false;
    int keys = 0;
    for (ColumnSchema column : given) {
      if (column.isAutoIncrementing()) {
        return given;
      }
      if (column.getName().equalsIgnoreCase(AUTO_INCREMENTING_NAME)) {
        throw new IllegalArgumentException(
            "Column name " + AUTO_INCREMENTING_NAME + " is reserved by Kudu engine");
      }
      if (column.isKey()) {
        keys++;
        unique |= column.isKeyUnique();
        notUnique |= !column.isKeyUnique();
      }
    }
    if (unique && notUnique) {
      throw new IllegalArgumentException(
          "Mixture of unique key and non unique key in a table; use one for all key columns");
    }
    if (!notUnique) {
      return given;
    }
    List<ColumnSchema> all = new ArrayList<>(given);
    all.add(keys, ColumnSchema.autoIncrementing());
    return all;
  }

  private static List<ColumnSchema> withIds(List<ColumnSchema> columns, List<Integer> ids) {
    if (ids == null || ids.isEmpty()) {
      return columns;
    }
    if (ids.size() != columns.size()) {
      throw new IllegalArgumentException(
          "Schema must be constructed with all column IDs, or none: "
              + ids.size()
              + " for "
              + columns.size()
              + " columns");
    }
    List<ColumnSchema> numbered = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      numbered.add(columns.get(i).withId(ids.get(i)));
    }
    return numbered;
  }

  private static void checkNames(List<ColumnSchema> columns) {
    if (columns.stream().map(ColumnSchema::getName).distinct().count() != columns.size()) {
      throw new IllegalArgumentException("Column names must be unique: " + columns);
    }
  }

  /** The schema in its internal form, with column ids if they are known. */
  public dev.kudu4j.common.schema.Schema toCommon() {
    return schema;
  }

  public List<ColumnSchema> getColumns() {
    return columns;
  }

  /** The number of columns of variable length. */
  public int getVarLengthColumnCount() {
    return varLengthCount;
  }

  /** Bytes of a row in a row-wise scan response, without indirect data. */
  public int getRowSize() {
    return rowSize;
  }

  /** Offset of the column's cell in a row of a row-wise scan response. */
  public int getColumnOffset(int index) {
    return offsets[index];
  }

  public boolean hasColumn(String name) {
    return schema.indexOfName(name) >= 0;
  }

  /**
   * The position of a column.
   *
   * @throws IllegalArgumentException if no column has that name
   */
  public int getColumnIndex(String name) {
    int index = schema.indexOfName(name);
    if (index < 0) {
      throw new IllegalArgumentException("Unknown column: " + name);
    }
    return index;
  }

  /**
   * The position of the column with an id.
   *
   * @throws IllegalStateException when ids are not known
   */
  public int getColumnIndex(int columnId) {
    checkIds();
    int index = schema.indexOfId(columnId);
    if (index < 0) {
      throw new IllegalArgumentException("Unknown column id: " + columnId);
    }
    return index;
  }

  public ColumnSchema getColumnByIndex(int index) {
    return columns.get(index);
  }

  /**
   * The column with the name {@code name}.
   *
   * @throws IllegalArgumentException when no column has that name
   */
  public ColumnSchema getColumn(String name) {
    return columns.get(getColumnIndex(name));
  }

  public int getColumnCount() {
    return columns.size();
  }

  public int getPrimaryKeyColumnCount() {
    return keyColumns.size();
  }

  public List<ColumnSchema> getPrimaryKeyColumns() {
    return keyColumns;
  }

  public boolean isPrimaryKeyUnique() {
    return keyUnique;
  }

  public boolean hasAutoIncrementingColumn() {
    return !keyUnique;
  }

  public static String getAutoIncrementingColumnName() {
    return AUTO_INCREMENTING_NAME;
  }

  public static Type getAutoIncrementingColumnType() {
    return Type.INT64;
  }

  /** A schema of the key columns alone. */
  public Schema getRowKeyProjection() {
    return new Schema(keyColumns.toArray(new ColumnSchema[0]));
  }

  public boolean hasNullableColumns() {
    return schema.hasNullableColumns();
  }

  public boolean hasImmutableColumns() {
    return anyImmutable;
  }

  /** Whether there is a column {@link ColumnSchema#isWithoutTimeZone without time zone}. */
  public boolean hasColumnsWithoutTimeZone() {
    return columns.stream().anyMatch(ColumnSchema::isWithoutTimeZone);
  }

  /** Whether any column has a type that is not a scalar. */
  public boolean hasNestedTypeColumns() {
    return anyArray;
  }

  /** Whether the ids of the columns are known, as in the schema of an open table. */
  public boolean hasColumnIds() {
    return schema.columnCount() > 0 && schema.hasIds();
  }

  /**
   * The id of a column.
   *
   * @throws IllegalStateException when ids are not known
   */
  public int getColumnId(String name) {
    checkIds();
    return schema.column(getColumnIndex(name)).id();
  }

  private void checkIds() {
    if (!hasColumnIds()) {
      throw new IllegalStateException("Schema does not have Column IDs");
    }
  }

  /** A row with no column set. */
  public PartialRow newPartialRow() {
    return blank.newRow();
  }

  /** Whether a column marks deleted rows, as in the projection of a diff scan. */
  public boolean hasIsDeleted() {
    return isDeletedIndex >= 0;
  }

  /**
   * The position of the column that marks deleted rows.
   *
   * @throws IllegalStateException when the schema has no such column
   */
  public int getIsDeletedIndex() {
    if (!hasIsDeleted()) {
      throw new IllegalStateException("Schema doesn't have an IS_DELETED columns");
    }
    return isDeletedIndex;
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
