package dev.kudu4j.common.index;

import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The table with the claims of a unique index: for each value, the row that may have it.
 *
 * <pre>
 *   indexed columns (key) | owner: key of the row | tablet, term and number of the claim
 * </pre>
 *
 * <p>The indexed columns have the ids and names of the indexed table. The others have the next ids
 * after the highest of them.
 */
public final class ClaimTable {
  private ClaimTable() {}

  /** The columns, for an index of a table. */
  public static Schema schema(Schema table, IndexDefinition index) {
    List<ColumnSchema> columns = new ArrayList<>();
    for (int id : index.columns()) {
      columns.add(
          table.column(table.indexOfId(id)).toBuilder()
              .key(true)
              .nullable(false)
              .immutable(false)
              .build());
    }
    columns.add(next("owner", DataType.BINARY, columns));
    columns.add(next("owner_tablet", DataType.STRING, columns));
    columns.add(next("owner_term", DataType.INT64, columns));
    columns.add(next("claim_number", DataType.INT64, columns));
    return new Schema(columns);
  }

  private static ColumnSchema next(String name, DataType type, List<ColumnSchema> before) {
    String free = name;
    while (isTaken(free, before)) {
      free += "_";
    }
    int highest = before.stream().mapToInt(ColumnSchema::id).max().orElse(0);
    return ColumnSchema.builder(free, type).id(highest + 1).build();
  }

  private static boolean isTaken(String name, List<ColumnSchema> columns) {
    return columns.stream().anyMatch(column -> column.name().equals(name));
  }

  /** Claims are distributed by the hash of their values. */
  public static PartitionSchema partitions(IndexDefinition index) {
    List<HashDimension> dimensions =
        index.buckets().count() == 1
            ? List.of()
            : List.of(new HashDimension(index.columns(), index.buckets().count(), 0));
    return new PartitionSchema(dimensions, List.of(), List.of());
  }
}
