package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.Schema;

/**
 * A table that sessions write to, as it was when it was opened. Two of the same table may have
 * different schemas, so the object counts, not its name.
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

  /** Where the table's tablets are; one object for all openings of a table. */
  TableTablets tablets() {
    return tablets;
  }
}
