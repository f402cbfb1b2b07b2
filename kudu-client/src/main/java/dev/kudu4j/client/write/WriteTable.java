package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.Schema;

/**
 * A table that sessions write to, as of when it was opened. Two objects of one table may have
 * different schemas, so they are compared by identity.
 */
public final class WriteTable {
  private final String name;
  private final Schema schema;
  private final PartitionSchema partitions;
  private final TableTablets tablets;

  public WriteTable(String name, Schema schema, PartitionSchema partitions, TableTablets tablets) {
    this.name = name;
    this.schema = schema;
    this.partitions = partitions;
    this.tablets = tablets;
  }

  String name() {
    return name;
  }

  Schema schema() {
    return schema;
  }

  PartitionSchema partitions() {
    return partitions;
  }

  /** The locations of the table's tablets; all openings of a table share one object. */
  TableTablets tablets() {
    return tablets;
  }
}
