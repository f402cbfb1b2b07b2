package dev.kudu4j.common.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns that a scan requests, matched by name with the columns of a tablet. A scan may
 * request any columns of the tablet, in any order.
 *
 * <p>The {@link #schema} contains the columns of the tablet, with their ids and defaults. A column
 * is marked as a key column only if the client requested it as one. The virtual {@link
 * DataType#IS_DELETED} column corresponds to no column of the tablet.
 */
public final class Projection {
  /** Index of the virtual column. */
  public static final int VIRTUAL = -1;

  private final Schema schema;
  private final int[] tabletIndexOf;

  private Projection(Schema schema, int[] tabletIndexOf) {
    this.schema = schema;
    this.tabletIndexOf = tabletIndexOf;
  }

  /**
   * @param asked the client's columns, without ids
   * @throws SchemaException INVALID_SCHEMA if the projection is invalid for every table: it has
   *     ids, a repeated column, a key column after a non-key column, or a malformed virtual column.
   *     MISMATCHED_SCHEMA if it is invalid for this tablet: a column does not exist, or has another
   *     type or nullability.
   */
  public static Projection of(List<ColumnSchema> asked, Schema tablet) {
    return of(asked, tablet, false);
  }

  /**
   * Like {@link #of(List, Schema)}.
   *
   * @param mayBeNullable whether the client's column may be nullable if the tablet's is not
   */
  public static Projection of(List<ColumnSchema> asked, Schema tablet, boolean mayBeNullable) {
    checkShape(asked);
    int[] tabletIndexOf = new int[asked.size()];
    List<ColumnSchema> columns = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < tabletIndexOf.length; i++) {
      ColumnSchema column = asked.get(i);
      int index = tablet.indexOfName(column.name());
      tabletIndexOf[i] = index;
      if (index >= 0) {
        ColumnSchema ours = tablet.column(index);
        boolean widened = mayBeNullable && column.isNullable();
        SchemaMapping.checkSameType(
            widened ? ours.toBuilder().key(false).nullable(true).build() : ours, column);
        columns.add(tablet.column(index).toBuilder().key(column.isKey()).build());
      } else if (column.type() == DataType.IS_DELETED) {
        columns.add(column);
      } else {
        missing.add(column.name());
      }
    }
    if (!missing.isEmpty()) {
      throw SchemaException.mismatched(
          "Some columns are not present in the current schema: %s", String.join(", ", missing));
    }
    return new Projection(new Schema(columns), tabletIndexOf);
  }

  private static void checkShape(List<ColumnSchema> asked) {
    Set<String> names = new HashSet<>();
    boolean keysOver = false;
    boolean virtualSeen = false;
    for (ColumnSchema column : asked) {
      if (column.id() != ColumnSchema.NO_ID) {
        throw SchemaException.invalid("User requests should not have Column IDs");
      }
      if (!names.add(column.name())) {
        throw SchemaException.invalid("Duplicate column name: %s", column.name());
      }
      if (column.isKey() && keysOver) {
        throw SchemaException.invalid("Got out-of-order key column: %s", column);
      }
      keysOver |= !column.isKey();
      if (column.type() == DataType.IS_DELETED) {
        if (virtualSeen) {
          throw SchemaException.invalid("More than one IS_DELETED column: %s", column.name());
        }
        if (column.isNullable() || column.readDefault() == null) {
          throw SchemaException.invalid(
              "Virtual column %s must be NOT NULL and have a default value", column.name());
        }
        virtualSeen = true;
      }
    }
  }

  /** The projected columns, as they are in the tablet. */
  public Schema schema() {
    return schema;
  }

  public int columnCount() {
    return tabletIndexOf.length;
  }

  /** The tablet's index of a projected column, or {@link #VIRTUAL}. */
  public int tabletIndexOf(int index) {
    return tabletIndexOf[index];
  }

  /** The index of the virtual column that marks deleted rows, or -1 if the projection has none. */
  public int isDeletedIndex() {
    for (int i = 0; i < tabletIndexOf.length; i++) {
      if (tabletIndexOf[i] == VIRTUAL) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether the projection contains all key columns of the tablet, marked as key columns. Then
   * every row contains its whole key.
   */
  public boolean holdsWholeKey(Schema tablet) {
    int keys = 0;
    for (int i = 0; i < tabletIndexOf.length; i++) {
      if (tabletIndexOf[i] != VIRTUAL
          && tabletIndexOf[i] < tablet.keyColumnCount()
          && schema.column(i).isKey()) {
        keys++;
      }
    }
    return keys == tablet.keyColumnCount();
  }
}
