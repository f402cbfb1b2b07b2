package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.Partition;
import dev.kudu4j.client.PartitionSchema.HashBucketSchema;
import dev.kudu4j.spark.catalog.TableDescription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The tablets of a table, in the order of their partition keys. The columns that Impala has too
 * have Impala's names.
 */
record TabletList(KuduTable table) implements PartitionList {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  @Override
  public StructType columns() {
    return new StructType()
        .add("Tablet", DataTypes.StringType, false)
        .add("Hash Partition", DataTypes.StringType, false)
        .add("Range Partition", DataTypes.StringType, false)
        .add("Start Key", DataTypes.StringType, false)
        .add("Stop Key", DataTypes.StringType, false)
        .add("Leader Replica", DataTypes.StringType, true)
        .add("#Replicas", DataTypes.IntegerType, false);
  }

  @Override
  public List<Object[]> rows() throws KuduException {
    return table.getTabletsLocations(TIMEOUT_MILLIS).stream().map(this::row).toList();
  }

  private Object[] row(LocatedTablet tablet) {
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    return new Object[] {
      new String(tablet.getTabletId(), StandardCharsets.UTF_8),
      hashPartition(tablet.getPartition()),
      TableDescription.rangeColumns(table).isEmpty()
          ? ""
          : table.formatRange(tablet.getPartition()),
      HEX.formatHex(tablet.getStartKey()),
      HEX.formatHex(tablet.getEndKey()),
      leader == null ? null : leader.getRpcHost() + ":" + leader.getRpcPort(),
      tablet.getReplicas().size()
    };
  }

  /** {@code HASH (a, b) PARTITION 0, HASH (c) PARTITION 3}. */
  private String hashPartition(Partition partition) {
    List<HashBucketSchema> dimensions = table.getHashSchema(partition);
    List<String> text = new ArrayList<>();
    for (int i = 0; i < dimensions.size(); i++) {
      List<String> columns = TableDescription.names(table, dimensions.get(i).getColumnIds());
      text.add(
          "HASH ("
              + String.join(", ", columns)
              + ") PARTITION "
              + partition.getHashBuckets().get(i));
    }
    return String.join(", ", text);
  }
}
