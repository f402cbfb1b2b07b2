package dev.kudu4j.tools.table;

import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The master's information about a table. */
record TableInfo(
    String name,
    String id,
    Schema schema,
    PartitionSchema partitioning,
    Map<String, Partition> partitions,
    int replicationFactor,
    String owner,
    String comment,
    Map<String, String> extraConfigs) {

  static TableInfo of(String name, ClusterCalls calls) {
    GetTableSchemaResponsePB table = calls.table(name);
    Schema schema = SchemaWire.fromWire(table.getSchema());
    return new TableInfo(
        name,
        table.getTableId().toStringUtf8(),
        schema,
        PartitionWire.fromWire(table.getPartitionSchema(), schema),
        partitions(name, calls),
        table.getNumReplicas(),
        table.getOwner(),
        table.getComment(),
        new TreeMap<>(table.getExtraConfigsMap()));
  }

  private static Map<String, Partition> partitions(String name, ClusterCalls calls) {
    Map<String, Partition> partitions = new TreeMap<>();
    ListTablesRequestPB request =
        ListTablesRequestPB.newBuilder()
            .setNameFilter(name)
            .setListTabletWithPartition(true)
            .build();
    for (ListTablesResponsePB.TableInfo table : calls.tables(request)) {
      if (table.getName().equals(name)) {
        table
            .getTabletWithPartitionList()
            .forEach(
                tablet ->
                    partitions.put(
                        tablet.getTabletId(), PartitionWire.fromWire(tablet.getPartition())));
      }
    }
    return partitions;
  }

  /** The ranges in ascending order. */
  List<RangeBounds> ranges() {
    return new ArrayList<>(
        partitions.values().stream().map(Partition::rangeBounds).distinct().sorted().toList());
  }
}
