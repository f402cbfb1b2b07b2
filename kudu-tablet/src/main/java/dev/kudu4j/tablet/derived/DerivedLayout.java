package dev.kudu4j.tablet.derived;

import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a derived tablet: the indexed ones and the rest of the base table's primary key,
 * which together are its primary key, then the included ones. Columns have the ids and names of the
 * base table. Immutable.
 */
public final class DerivedLayout {
  private final Schema schema;
  private final RowLayout rows;
  private final int[] columnIds;
  private final List<Integer> nullableKeys;
  private final List<Integer> baseKeys;

  private DerivedLayout(Schema schema, List<Integer> nullableKeys, List<Integer> baseKeys) {
    this.schema = schema;
    this.rows = RowLayout.of(schema);
    this.columnIds = schema.columns().stream().mapToInt(ColumnSchema::id).toArray();
    this.nullableKeys = List.copyOf(nullableKeys);
    this.baseKeys = List.copyOf(baseKeys);
  }

  /**
   * @param base the base table's schema with ids
   * @param indexed ids of the indexed columns, the most significant first
   * @param included ids of further columns
   * @throws KuduException INVALID_ARGUMENT if a column is missing, or an indexed column has a type
   *     that primary keys cannot have
   */
  public static DerivedLayout of(Schema base, List<Integer> indexed, List<Integer> included) {
    Set<Integer> keys = new LinkedHashSet<>(indexed);
    base.columns().subList(0, base.keyColumnCount()).forEach(column -> keys.add(column.id()));
    Set<Integer> all = new LinkedHashSet<>(keys);
    all.addAll(included);
    List<ColumnSchema> columns = new ArrayList<>();
    List<Integer> nullableKeys = new ArrayList<>();
    for (int id : all) {
      ColumnSchema column = column(base, id);
      boolean isKey = keys.contains(id);
      if (isKey && !column.type().isKeyable()) {
        throw KuduException.invalidArgument(
            "Column %s is a %s, which the key of an index table cannot contain",
            column.name(), column.type());
      }
      if (isKey && column.isNullable()) {
        nullableKeys.add(columns.size());
      }
      columns.add(
          column.toBuilder()
              .key(isKey)
              .nullable(!isKey && column.isNullable())
              .immutable(false)
              .autoIncrementing(false)
              .build());
    }
    Schema schema = new Schema(columns);
    List<Integer> baseKeys =
        base.columns().subList(0, base.keyColumnCount()).stream()
            .map(column -> schema.indexOfId(column.id()))
            .toList();
    return new DerivedLayout(schema, nullableKeys, baseKeys);
  }

  private static ColumnSchema column(Schema base, int id) {
    int index = base.indexOfId(id);
    if (index < 0) {
      throw KuduException.invalidArgument("The table has no column with id %d", id);
    }
    return base.column(index);
  }

  /** The schema of the derived tablet. */
  public Schema schema() {
    return schema;
  }

  /**
   * The columns of the base table that the rows are made of, in their order. A projection of a
   * change feed.
   */
  public Schema projectionOf(Schema base) {
    List<ColumnSchema> columns = new ArrayList<>();
    for (int id : columnIds) {
      columns.add(column(base, id));
    }
    return new Schema(columns);
  }

  RowLayout rows() {
    return rows;
  }

  int[] columnIds() {
    return columnIds.clone();
  }

  /** The columns of the key that are nullable in the base table. A row with NULL has no place. */
  List<Integer> nullableKeys() {
    return nullableKeys;
  }

  /** The columns of the base table's key, in its order. */
  List<Integer> baseKeys() {
    return baseKeys;
  }
}
