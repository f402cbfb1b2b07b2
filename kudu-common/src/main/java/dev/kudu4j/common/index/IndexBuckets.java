package dev.kudu4j.common.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * The tablets of an index that has its own: rows are distributed over them by a hash.
 *
 * @param columns ids of the hashed columns, which are indexed or in the table's primary key; empty
 *     for those by which the table is hashed, or else the whole primary key
 * @param count the number of tablets; 0 for a local index
 */
public record IndexBuckets(List<Integer> columns, int count) {
  /** Those of a local index. */
  public static final IndexBuckets NONE = new IndexBuckets(List.of(), 0);

  /** The number of tablets unless another one is given. */
  public static final int DEFAULT_COUNT = 4;

  /** The maximum number of tablets. */
  public static final int MAX_COUNT = 256;

  public IndexBuckets {
    columns = List.copyOf(columns);
  }

  /**
   * The hashed columns of an index of a table that is not hashed.
   *
   * @param table the schema of the indexed table
   */
  public List<Integer> hashedColumns(Schema table) {
    return columns.isEmpty()
        ? table.columns().subList(0, table.keyColumnCount()).stream().map(ColumnSchema::id).toList()
        : columns;
  }

  void check(IndexDefinition index, Schema table) {
    if (!index.hasTablets()) {
      return;
    }
    if (count < 1 || count > MAX_COUNT) {
      throw KuduException.invalidArgument(
          "Index %s must have 1 to %d buckets, not %d", index.name(), MAX_COUNT, count);
    }
    if (index.isClaimed() && !columns.isEmpty()) {
      throw KuduException.invalidArgument(
          "Index %s is hashed by its values, so no columns for that can be given", index.name());
    }
    if (columns.stream().distinct().count() < columns.size()) {
      throw KuduException.invalidArgument(
          "Index %s is hashed by a column more than once", index.name());
    }
    for (int id : columns) {
      int position = table.indexOfId(id);
      if (!index.columns().contains(id) && (position < 0 || position >= table.keyColumnCount())) {
        throw KuduException.invalidArgument(
            "Index %s can be hashed by its indexed columns and those of the table's primary key,"
                + " but not by column %s",
            index.name(), position < 0 ? id : table.column(position).name());
      }
    }
  }
}
