package dev.kudu4j.client.token;

import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.client.TableMetadataPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.Map;

/** The description of a table in a scan token, so that its reader need not ask the master. */
public record TableDescription(
    String id,
    String name,
    Schema schema,
    PartitionSchema partitions,
    int numReplicas,
    Map<String, String> extraConfigs,
    String owner,
    String comment) {

  public static TableDescription fromWire(TableMetadataPB table) {
    Schema schema = SchemaWire.fromWire(table.getSchema());
    return new TableDescription(
        table.getTableId(),
        table.getTableName(),
        schema,
        PartitionWire.fromWire(table.getPartitionSchema(), schema),
        table.getNumReplicas(),
        table.getExtraConfigsMap(),
        table.getOwner(),
        table.getComment());
  }

  TableMetadataPB toWire() {
    return TableMetadataPB.newBuilder()
        .setTableId(id)
        .setTableName(name)
        .setNumReplicas(numReplicas)
        .setSchema(SchemaWire.toWire(schema, true))
        .setPartitionSchema(PartitionWire.toWire(partitions, schema))
        .putAllExtraConfigs(extraConfigs)
        .setOwner(owner)
        .setComment(comment)
        .build();
  }
}
