package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import java.util.List;
import java.util.Map;

/** A table whose only column is a key of 32-bit numbers; the scripted servers define its rows. */
final class NumbersTable {
  private NumbersTable() {}

  static KuduTable open(AsyncKuduClient client, PartitionSchema partitions) {
    return new KuduTable(
        client,
        "table-id",
        "numbers",
        Schema.of(
            new dev.kudu4j.common.schema.Schema(
                List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()))),
        partitions,
        new KuduTable.Properties(1, Map.of(), "", ""));
  }
}
