package dev.kudu4j.common.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A local secondary index: each replica keeps it next to its own data. Columns are identified by
 * their ids, so that renaming them does not affect it.
 *
 * @param id unique in the table and never reused
 * @param name unique among the indexes of the table
 * @param columns ids of the indexed columns, the most significant first
 * @param included ids of further columns whose cells the index contains
 */
public record IndexDefinition(int id, String name, List<Integer> columns, List<Integer> included) {
  /**
   * An index is, for all clients, a property of the table's extra configuration: this, then its
   * name.
   */
  public static final String PROPERTY_PREFIX = "kudu4j.index.";

  /** The maximum number of indexes of a table. */
  public static final int MAX_INDEXES = 8;

  /** The maximum number of indexed columns. */
  public static final int MAX_COLUMNS = 16;

  public IndexDefinition {
    columns = List.copyOf(columns);
    included = List.copyOf(included);
  }

  /** The indexed columns, then the included ones. */
  public List<Integer> allColumns() {
    List<Integer> all = new ArrayList<>(columns);
    all.addAll(included);
    return all;
  }

  /** Whether the index contains cells of the column. */
  public boolean contains(int columnId) {
    return columns.contains(columnId) || included.contains(columnId);
  }

  /**
   * Checks the definition against a table.
   *
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  public void check(Schema table) {
    if (name.isEmpty()) {
      throw KuduException.invalidArgument("An index must have a name");
    }
    if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
      throw KuduException.invalidArgument(
          "Index %s must have 1 to %d indexed columns, not %d", name, MAX_COLUMNS, columns.size());
    }
    Set<Integer> seen = new HashSet<>();
    for (int id : allColumns()) {
      int index = table.indexOfId(id);
      if (index < 0) {
        throw KuduException.invalidArgument(
            "Index %s: the table has no column with id %d", name, id);
      }
      ColumnSchema column = table.column(index);
      if (!seen.add(id)) {
        throw KuduException.invalidArgument(
            "Index %s contains column %s more than once", name, column.name());
      }
      if (column.type() == DataType.NESTED && columns.contains(id)) {
        throw KuduException.invalidArgument(
            "Index %s: arrays cannot be indexed, but column %s is one; it may be included",
            name, column.name());
      }
    }
  }
}
