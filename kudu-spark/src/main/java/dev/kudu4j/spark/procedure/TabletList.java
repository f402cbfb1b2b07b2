package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code partitions(table)}: the tablets of a table, with their buckets, ranges and replicas. The
 * range is NULL if the table has no range columns; the leader is NULL if it is unknown.
 */
final class TabletList extends TableProcedure {
  TabletList(Function<String, LoadedTable> tables) {
    super(tables);
  }

  @Override
  public String name() {
    return "partitions";
  }

  @Override
  public String description() {
    return "Lists the tablets of a table with their partitions and replicas";
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("tablet", DataTypes.StringType, false)
        .add("buckets", DataTypes.createArrayType(DataTypes.IntegerType, false), false)
        .add("range", DataTypes.StringType)
        .add("leader", DataTypes.StringType)
        .add("replicas", DataTypes.createArrayType(DataTypes.StringType, false), false);
  }

  @Override
  List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    KuduTable kuduTable = table.kuduTable();
    long timeoutMillis = table.connection().client().getDefaultAdminOperationTimeoutMs();
    boolean hasRanges = !kuduTable.getPartitionSchema().getRangeSchema().getColumnIds().isEmpty();
    return kuduTable.getTabletsLocations(timeoutMillis).stream()
        .map(
            tablet ->
                row(
                    id(tablet),
                    new GenericArrayData(tablet.getPartition().getHashBuckets().toArray()),
                    hasRanges ? kuduTable.formatRange(tablet.getPartition()) : null,
                    tablet.getLeaderReplica() == null ? null : address(tablet.getLeaderReplica()),
                    new GenericArrayData(
                        tablet.getReplicas().stream()
                            .map(replica -> UTF8String.fromString(address(replica)))
                            .toArray())))
        .toList();
  }

  static String id(LocatedTablet tablet) {
    return new String(tablet.getTabletId(), StandardCharsets.UTF_8);
  }

  private static String address(LocatedTablet.Replica replica) {
    return replica.getRpcHost() + ":" + replica.getRpcPort();
  }
}
