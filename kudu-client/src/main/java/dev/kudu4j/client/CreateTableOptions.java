package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeWithHashSchemaPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a new table is partitioned and replicated. Call at least one of {@link #addHashPartitions}
 * and {@link #setRangePartitionColumns}.
 */
public final class CreateTableOptions {
  private final CreateTableRequestPB.Builder request = CreateTableRequestPB.newBuilder();
  private final PartitionSchemaPB.Builder partitioning = PartitionSchemaPB.newBuilder();
  private final List<RangePartition> ranges = new ArrayList<>();
  private final List<PartialRow> splitRows = new ArrayList<>();
  private boolean wait = true;

  /** Hashes the columns together into buckets; each call adds a hash dimension. */
  public CreateTableOptions addHashPartitions(List<String> columns, int buckets) {
    return addHashPartitions(columns, buckets, 0);
  }

  /**
   * Hashes the columns together into buckets.
   *
   * @param seed changes which rows share a bucket
   */
  public CreateTableOptions addHashPartitions(List<String> columns, int buckets, int seed) {
    partitioning.addHashSchema(PartitionMessages.hashing(columns, buckets, seed));
    return this;
  }

  /** Sets the range columns; an empty list means no ranges. */
  public CreateTableOptions setRangePartitionColumns(List<String> columns) {
    partitioning.setRangeSchema(PartitionMessages.range(columns));
    return this;
  }

  /** Adds a range partition, from {@code lower} inclusive to {@code upper} exclusive. */
  public CreateTableOptions addRangePartition(PartialRow lower, PartialRow upper) {
    return addRangePartition(
        lower, upper, RangePartitionBound.INCLUSIVE_BOUND, RangePartitionBound.EXCLUSIVE_BOUND);
  }

  /** Adds a range partition. A bound with no column set means unbounded. */
  public CreateTableOptions addRangePartition(
      PartialRow lower,
      PartialRow upper,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    ranges.add(new RangePartition(lower, upper, lowerBoundType, upperBoundType));
    return this;
  }

  /** Adds a range partition with its own hash schema. */
  public CreateTableOptions addRangePartition(RangePartitionWithCustomHashSchema rangePartition) {
    if (!splitRows.isEmpty()) {
      throw new IllegalArgumentException(
          "no range partitions with custom hash schema are allowed when using split rows to define"
              + " range partitioning for a table");
    }
    ranges.add(rangePartition);
    return this;
  }

  /** Splits the range that contains the row in two, at the row. */
  public CreateTableOptions addSplitRow(PartialRow row) {
    if (hasCustomHashing()) {
      throw new IllegalArgumentException(
          "no split rows are allowed to define range partitioning for a table when range"
              + " partitions with custom hash schema are present");
    }
    splitRows.add(new PartialRow(row));
    return this;
  }

  /**
   * Sets the number of replicas per tablet, which must be odd; the cluster's default if not called.
   */
  public CreateTableOptions setNumReplicas(int numReplicas) {
    request.setNumReplicas(numReplicas);
    return this;
  }

  /** Sets a label for the placement of replicas. */
  public CreateTableOptions setDimensionLabel(String dimensionLabel) {
    if (dimensionLabel == null) {
      throw new IllegalArgumentException("Dimension label must not be null");
    }
    request.setDimensionLabel(dimensionLabel);
    return this;
  }

  /** Adds an index to the new table. */
  public CreateTableOptions addIndex(KuduIndex index) {
    request.putExtraConfigs(index.property(), index.toString());
    return this;
  }

  /** Sets properties such as {@code kudu.table.history_max_age_sec}. */
  public CreateTableOptions setExtraConfigs(Map<String, String> extraConfig) {
    request.putAllExtraConfigs(extraConfig);
    return this;
  }

  /** Whether to wait until all tablets are running; default true. */
  public CreateTableOptions setWait(boolean wait) {
    this.wait = wait;
    return this;
  }

  /** Sets the owner; the connected user by default. */
  public CreateTableOptions setOwner(String owner) {
    request.setOwner(owner);
    return this;
  }

  public CreateTableOptions setComment(String comment) {
    request.setComment(comment);
    return this;
  }

  boolean shouldWait() {
    return wait;
  }

  /** Whether the options specify a partitioning. */
  boolean hasPartitioning() {
    return partitioning.hasRangeSchema() || partitioning.getHashSchemaCount() > 0;
  }

  private boolean hasCustomHashing() {
    return ranges.stream().anyMatch(RangePartitionWithCustomHashSchema.class::isInstance);
  }

  /** The features that a master needs to understand the request. */
  List<Integer> requiredFeatures(Schema schema) {
    List<Integer> features = new ArrayList<>();
    if (!ranges.isEmpty()) {
      features.add(MasterFeatures.RANGE_PARTITION_BOUNDS_VALUE);
    }
    if (hasCustomHashing()) {
      features.add(MasterFeatures.RANGE_SPECIFIC_HASH_SCHEMA_VALUE);
    }
    if (schema.hasImmutableColumns()) {
      features.add(MasterFeatures.IMMUTABLE_COLUMN_ATTRIBUTE_VALUE);
    }
    if (schema.hasAutoIncrementingColumn()) {
      features.add(MasterFeatures.AUTO_INCREMENTING_COLUMN_VALUE);
    }
    if (schema.hasColumnsWithoutTimeZone()) {
      features.add(MasterFeatures.WITHOUT_TIME_ZONE_VALUE);
    }
    if (schema.hasNestedTypeColumns()) {
      features.add(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
    }
    return features;
  }

  CreateTableRequestPB toRequest(String name, Schema schema) {
    CreateTableRequestPB.Builder message = request.clone().setName(name);
    schema.getColumns().forEach(column -> message.getSchemaBuilder().addColumns(toWire(column)));
    PartitionSchemaPB.Builder split = partitioning.clone();
    if (hasCustomHashing()) {
      ranges.forEach(range -> split.addCustomHashSchemaRanges(withHashing(range)));
    } else if (!ranges.isEmpty() || !splitRows.isEmpty()) {
      RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema.toCommon()));
      ranges.forEach(range -> range.appendTo(rows));
      splitRows.forEach(row -> row.appendTo(rows, OperationType.SPLIT_ROW));
      message.setSplitRowsRangeBounds(RowOperationsWire.toWire(rows));
    }
    return message.setPartitionSchema(split).build();
  }

  /**
   * The range with its hash schema. If one range of a request has its own hash schema, each range
   * must specify one; ranges without their own specify the table's.
   */
  private RangeWithHashSchemaPB withHashing(RangePartition range) {
    if (range instanceof RangePartitionWithCustomHashSchema custom) {
      return custom.toPB();
    }
    return RangeWithHashSchemaPB.newBuilder()
        .setRangeBounds(range.toWire())
        .addAllHashSchema(partitioning.getHashSchemaList())
        .build();
  }

  /**
   * Converts a column for a request: without an id, and with one default, which the master uses for
   * reads and writes.
   */
  static dev.kudu4j.common.proto.common.ColumnSchemaPB toWire(ColumnSchema column) {
    dev.kudu4j.common.schema.ColumnSchema common = column.toCommon();
    byte[] value = common.writeDefault() != null ? common.writeDefault() : common.readDefault();
    return SchemaWire.toWire(
        common.toBuilder().readDefault(value).writeDefault(null).build(), false);
  }
}
