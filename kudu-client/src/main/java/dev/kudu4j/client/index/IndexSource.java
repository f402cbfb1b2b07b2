package dev.kudu4j.client.index;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A global index as a table that can be read.
 *
 * @param name of the index
 * @param tableName of the index's table
 * @param table the columns of the index's table, with ids
 */
public record IndexSource(
    String name, String tableName, Schema table, PartitionSchema partitions, TableTablets tablets) {
  /**
   * Whether a row of the indexed table stays in one tablet of the index as long as its key does: no
   * update can move it to another one.
   *
   * @param base the columns of the indexed table
   */
  public boolean keepsRowsInPlace(Schema base) {
    Set<Integer> key =
        base.columns().subList(0, base.keyColumnCount()).stream()
            .map(ColumnSchema::id)
            .collect(Collectors.toSet());
    return key.containsAll(partitions.rangeColumnIds())
        && partitions.hashDimensions().stream()
            .allMatch(dimension -> key.containsAll(dimension.columnIds()));
  }
}
