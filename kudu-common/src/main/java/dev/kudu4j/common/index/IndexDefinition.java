package dev.kudu4j.common.index;

import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A secondary index. Columns are identified by their ids, so that renaming them does not affect it.
 *
 * @param id unique in the table and never reused
 * @param name unique among the indexes of the table
 * @param kind where its rows are
 * @param columns ids of the indexed columns, the most significant first
 * @param included ids of further columns whose cells the index contains
 * @param uniqueness whether rows may have equal values of the indexed columns
 * @param buckets the tablets of a global index
 */
public record IndexDefinition(
    int id,
    String name,
    IndexKind kind,
    List<Integer> columns,
    List<Integer> included,
    Uniqueness uniqueness,
    IndexBuckets buckets) {
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

  /** A local index. */
  public IndexDefinition(
      int id, String name, List<Integer> columns, List<Integer> included, Uniqueness uniqueness) {
    this(id, name, IndexKind.LOCAL, columns, included, uniqueness, IndexBuckets.NONE);
  }

  /** A local index that is not unique. */
  public IndexDefinition(int id, String name, List<Integer> columns, List<Integer> included) {
    this(id, name, columns, included, Uniqueness.NOT_UNIQUE);
  }

  /** Whether the index has its rows in tablets of its own, sorted by the indexed columns. */
  public boolean isGlobal() {
    return kind == IndexKind.GLOBAL;
  }

  /** Whether this is a unique index whose values writers claim in tablets of its own. */
  public boolean isClaimed() {
    return kind == IndexKind.CLAIMED;
  }

  /** Whether the index has tablets of its own. */
  public boolean hasTablets() {
    return kind != IndexKind.LOCAL;
  }

  /** Whether this index and another one have the same content. */
  public boolean isLike(IndexDefinition other) {
    return kind == other.kind
        && columns.equals(other.columns)
        && included.equals(other.included)
        && uniqueness.isWanted() == other.uniqueness.isWanted()
        && buckets.equals(other.buckets);
  }

  /** The indexed columns, then the included ones. */
  public List<Integer> allColumns() {
    List<Integer> all = new ArrayList<>(columns);
    all.addAll(included);
    return all;
  }

  /** Whether the schema has all columns of the index. */
  public boolean isIn(Schema table) {
    return allColumns().stream().allMatch(id -> table.indexOfId(id) >= 0);
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
      boolean isKey = uniqueness.isWanted() || isGlobal();
      if (isKey && columns.contains(id) && !column.type().isKeyable()) {
        throw KuduException.invalidArgument(
            "Index %s: a column of a %s index must have a type that primary keys can have, but"
                + " column %s is a %s",
            name, isGlobal() ? "global" : "unique", column.name(), column.type());
      }
    }
    if (isClaimed()) {
      checkClaimed(table);
    }
    buckets.check(this, table);
  }

  private void checkClaimed(Schema table) {
    if (!uniqueness.isWanted() || !included.isEmpty()) {
      throw KuduException.invalidArgument(
          "Index %s: an index whose values are claimed is unique, and includes no columns", name);
    }
    if (table.columns().stream().anyMatch(ColumnSchema::isAutoIncrementing)) {
      throw KuduException.invalidArgument(
          "Index %s: a table with an auto-incrementing column cannot have a UNIQUE GLOBAL index,"
              + " because its rows have no key before they are written",
          name);
    }
  }

  /**
   * Checks that a tablet alone can decide about the values of a unique index: that equal values are
   * always in the same tablet.
   *
   * @param ranged whether the table has more than one range, so that its range columns count
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  public void checkPartitions(PartitionSchema partitions, boolean ranged, Schema table) {
    if (!uniqueness.isWanted() || isClaimed()) {
      return;
    }
    for (int id : columnIds(partitions, ranged)) {
      if (!columns.contains(id)) {
        throw KuduException.invalidArgument(
            "Index %s: a unique index must contain all columns by which the table is partitioned,"
                + " because each tablet checks its own rows; it lacks column %s; UNIQUE GLOBAL"
                + " indexes need no such column",
            name, table.column(table.indexOfId(id)).name());
      }
    }
  }

  private static Set<Integer> columnIds(PartitionSchema partitions, boolean ranged) {
    Set<Integer> ids = new TreeSet<>(ranged ? partitions.rangeColumnIds() : List.of());
    partitions.hashDimensions().forEach(dimension -> ids.addAll(dimension.columnIds()));
    partitions
        .customRanges()
        .forEach(
            range ->
                range.hashDimensions().forEach(dimension -> ids.addAll(dimension.columnIds())));
    return ids;
  }
}
