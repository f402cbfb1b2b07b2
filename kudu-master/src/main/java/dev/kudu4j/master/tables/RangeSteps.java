package dev.kudu4j.master.tables;

import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.AddRangePartition;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.DropRangePartition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies the range steps of an alteration, one after the other. A range that is added and dropped
 * in one request never gets tablets; a range that is dropped and added again gets new, empty
 * tablets.
 */
final class RangeSteps {
  private final Schema table;
  private final SchemaPB requestSchema;
  private final Map<Partition, TabletInfo> existing = new HashMap<>();
  private final Map<Partition, String> added = new LinkedHashMap<>();
  private final List<TabletInfo> dropped = new ArrayList<>();
  private TablePartitions partitions;

  /**
   * @param requestSchema the schema in which the rows of the bounds are encoded; null when the
   *     request has none
   */
  RangeSteps(TableInfo info, SchemaPB requestSchema) {
    this.table = SchemaWire.fromWire(info.entry().getSchema());
    this.requestSchema = requestSchema;
    List<Partition> all = new ArrayList<>();
    for (TabletInfo tablet : info.tablets()) {
      Partition partition = PartitionWire.fromWire(tablet.partition());
      existing.put(partition, tablet);
      all.add(partition);
    }
    this.partitions =
        new TablePartitions(PartitioningRecord.read(info.entry().getPartitioning()), all);
  }

  TablePartitions partitions() {
    return partitions;
  }

  List<TabletInfo> dropped() {
    return dropped;
  }

  /** The partitions to add, each with the dimension label of its tablet. */
  Map<PartitionPB, String> added() {
    Map<PartitionPB, String> wire = new LinkedHashMap<>();
    added.forEach((partition, label) -> wire.put(PartitionWire.toWire(partition), label));
    return wire;
  }

  boolean isChanged() {
    return !added.isEmpty() || !dropped.isEmpty();
  }

  void add(AddRangePartition step) {
    RangeBounds bounds = bounds(step.getRangeBounds());
    List<HashDimension> hashing = partitions.schema().hashDimensions();
    if (step.hasCustomHashSchema()) {
      hashing = PartitionWire.hashDimensions(step.getCustomHashSchema().getHashSchemaList(), table);
      partitions.schema().validateRangeHashing(hashing, table);
    }
    checkCount(hashing);
    TablePartitions.Change change = partitions.addRange(new HashedRange(bounds, hashing), table);
    change.changed().forEach(partition -> added.put(partition, step.getDimensionLabel()));
    partitions = change.after();
  }

  private void checkCount(List<HashDimension> hashing) {
    long count = 1;
    for (HashDimension dimension : hashing) {
      count = Math.min(count * dimension.bucketCount(), Integer.MAX_VALUE);
    }
    if (added.size() + count > ReplicationRules.MAX_TABLETS_AT_ONCE) {
      throw SchemaException.of(
          SchemaException.Reason.TOO_MANY_TABLETS,
          StatusCode.INVALID_ARGUMENT,
          "an alteration may add %d tablets at most; add the ranges in several steps",
          ReplicationRules.MAX_TABLETS_AT_ONCE);
    }
  }

  void drop(DropRangePartition step) {
    TablePartitions.Change change = partitions.dropRange(bounds(step.getRangeBounds()), table);
    for (Partition partition : change.changed()) {
      if (added.remove(partition) == null) {
        dropped.add(existing.get(partition));
      }
    }
    if (dropped.size() > ReplicationRules.MAX_TABLETS_AT_ONCE) {
      throw KuduException.invalidArgument(
          "an alteration may drop %d tablets at most; drop fewer ranges at a time",
          ReplicationRules.MAX_TABLETS_AT_ONCE);
    }
    partitions = change.after();
  }

  private RangeBounds bounds(RowOperationsPB bounds) {
    if (requestSchema == null) {
      throw KuduException.invalidArgument(
          "to add or drop a range partition the request must carry the table's schema");
    }
    Schema columns = SchemaWire.ofClient(requestSchema);
    return PartitionWire.rangeBounds(bounds, columns, partitions.schema(), table);
  }
}
