package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.row.RowPartitionKeys;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.wire.SchemaWire;

/**
 * A session's state for one {@link WriteTable}: how its rows are encoded and how their tablets are
 * found.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class TableWriter<R> {
  private final WriteTable table;
  private final SchemaPB schema;
  private final RowPartitionKeys partitionKeys;
  private final UnlocatedOperations<R> unlocated;

  TableWriter(WriteTable table, UnlocatedOperations<R> unlocated) {
    this.table = table;
    this.unlocated = unlocated;
    this.schema = SchemaWire.toWire(table.schema(), false);
    this.partitionKeys = new RowPartitionKeys(table.partitions(), table.schema());
  }

  WriteTable table() {
    return table;
  }

  /** The schema of the rows in the wire format. */
  SchemaPB schema() {
    return schema;
  }

  /**
   * Encodes the partition key of a row, for {@link #cachedTablet} and {@link #partitionKey}.
   *
   * @throws IllegalStateException if a partitioning column is not set
   */
  void encodePartitionKey(RowCells row) {
    partitionKeys.encodeNext(row);
  }

  /** The tablet of the key encoded last; null if it is not known. */
  RemoteTablet cachedTablet() {
    return unlocated.tablets().cached(partitionKeys.last());
  }

  /** The key encoded last. */
  byte[] partitionKey() {
    return partitionKeys.last().toByteArray();
  }

  /** The operations of the table that wait for their tablet; shared by all writers of the table. */
  UnlocatedOperations<R> unlocated() {
    return unlocated;
  }

  boolean isIdle() {
    return unlocated.isIdle();
  }
}
