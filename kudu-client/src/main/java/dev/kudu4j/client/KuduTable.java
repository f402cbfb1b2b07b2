package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;

/** STUB (core engineer; the data engineer adds newInsert() and its kind). An open table. */
public final class KuduTable {
  public String getName() {
    throw new UnsupportedOperationException("STUB");
  }

  public String getTableId() {
    throw new UnsupportedOperationException("STUB");
  }

  public Schema getSchema() {
    throw new UnsupportedOperationException("STUB");
  }

  /** How rows map to partitions, as the wire and the engine know it. */
  PartitionSchema partitions() {
    throw new UnsupportedOperationException("STUB");
  }

  /** Where the table's tablets are, as far as is known. */
  TableTablets tablets() {
    throw new UnsupportedOperationException("STUB");
  }
}
