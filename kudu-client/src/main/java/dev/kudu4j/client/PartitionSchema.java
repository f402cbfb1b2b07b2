package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.RangeRows;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The partitioning of a table: hash dimensions, range columns, and ranges with their own hash
 * schemas.
 */
public final class PartitionSchema {
  private final Schema schema;
  private final dev.kudu4j.common.partition.PartitionSchema partitions;

  public PartitionSchema(
      RangeSchema rangeSchema, List<HashBucketSchema> hashBucketSchemas, Schema schema) {
    this(rangeSchema, hashBucketSchemas, List.of(), schema);
  }

  public PartitionSchema(
      RangeSchema rangeSchema,
      List<HashBucketSchema> hashBucketSchemas,
      List<RangeWithHashSchema> rangesWithHashSchemas,
      Schema schema) {
    this(schema, toCommon(rangeSchema, hashBucketSchemas, rangesWithHashSchemas, schema));
  }

  PartitionSchema(Schema schema, dev.kudu4j.common.partition.PartitionSchema partitions) {
    this.schema = schema;
    this.partitions = partitions;
  }

  private static dev.kudu4j.common.partition.PartitionSchema toCommon(
      RangeSchema range,
      List<HashBucketSchema> hashing,
      List<RangeWithHashSchema> ranges,
      Schema schema) {
    var plain =
        new dev.kudu4j.common.partition.PartitionSchema(
            hashing.stream().map(HashBucketSchema::toCommon).toList(),
            range.getColumnIds(),
            List.of());
    var custom =
        ranges.stream()
            .map(
                one ->
                    new HashedRange(
                        bounds(one, plain, schema),
                        one.hashSchemas.stream().map(HashBucketSchema::toCommon).toList()))
            .toList();
    return new dev.kudu4j.common.partition.PartitionSchema(
        plain.hashDimensions(), plain.rangeColumnIds(), custom);
  }

  private static RangeBounds bounds(
      RangeWithHashSchema range, dev.kudu4j.common.partition.PartitionSchema plain, Schema schema) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema.toCommon()));
    range.lowerBound.appendTo(rows, OperationType.RANGE_LOWER_BOUND);
    range.upperBound.appendTo(rows, OperationType.RANGE_UPPER_BOUND);
    return RangeRows.read(rows.reader(), plain, schema.toCommon(), allColumns(schema)).onlyBounds();
  }

  private static int[] allColumns(Schema schema) {
    return IntStream.range(0, schema.getColumnCount()).toArray();
  }

  dev.kudu4j.common.partition.PartitionSchema toCommon() {
    return partitions;
  }

  /**
   * The encoded partition key of a row.
   *
   * @throws IllegalStateException if a partitioning column is not set
   */
  public byte[] encodePartitionKey(PartialRow row) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema.toCommon()));
    row.appendTo(rows, OperationType.INSERT);
    RowOperationsReader reader = rows.reader();
    reader.next();
    KeyBuffer key = new KeyBuffer();
    if (!new PartitionKeyEncoder(partitions, schema.toCommon(), allColumns(schema))
        .append(reader, key)) {
      throw new IllegalStateException("Primary key column " + unsetColumn(row) + " is not set");
    }
    return key.toByteArray();
  }

  private String unsetColumn(PartialRow row) {
    return schema.getPrimaryKeyColumns().stream()
        .map(ColumnSchema::getName)
        .filter(column -> !row.isSet(column))
        .findFirst()
        .orElse("of the partitioning");
  }

  public RangeSchema getRangeSchema() {
    return new RangeSchema(partitions.rangeColumnIds());
  }

  public List<HashBucketSchema> getHashBucketSchemas() {
    return partitions.hashDimensions().stream().map(HashBucketSchema::of).toList();
  }

  /** The ranges with their own hash schema. */
  public List<RangeWithHashSchema> getRangesWithHashSchemas() {
    return partitions.customRanges().stream()
        .map(
            range ->
                new RangeWithHashSchema(
                    Partition.decode(range.bounds().lower(), schema, partitions),
                    Partition.decode(range.bounds().upper(), schema, partitions),
                    range.hashDimensions().stream().map(HashBucketSchema::of).toList()))
        .toList();
  }

  List<HashBucketSchema> getHashSchemaForRange(byte[] rangeKeyStart) {
    for (HashedRange range : partitions.customRanges()) {
      if (range.bounds().contains(rangeKeyStart, 0, rangeKeyStart.length)) {
        return range.hashDimensions().stream().map(HashBucketSchema::of).toList();
      }
    }
    return getHashBucketSchemas();
  }

  /**
   * Whether the ids of the columns, the hash dimensions and the ranges with their own hash
   * dimensions are equal.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionSchema that && partitions.equals(that.partitions);
  }

  @Override
  public int hashCode() {
    return partitions.hashCode();
  }

  @Override
  public String toString() {
    return partitions.toString();
  }

  /** The range columns. */
  public static final class RangeSchema {
    private final List<Integer> columns;

    /**
     * @param columns ids, in the order in which they are compared
     */
    public RangeSchema(List<Integer> columns) {
      this.columns = List.copyOf(columns);
    }

    public List<Integer> getColumns() {
      return columns;
    }

    public List<Integer> getColumnIds() {
      return columns;
    }
  }

  /** One hash dimension. */
  public static final class HashBucketSchema {
    private final List<Integer> columnIds;
    private final int numBuckets;
    private final int seed;

    public HashBucketSchema(List<Integer> columnIds, int numBuckets, int seed) {
      this.columnIds = List.copyOf(columnIds);
      this.numBuckets = numBuckets;
      this.seed = seed;
    }

    private static HashBucketSchema of(HashDimension dimension) {
      return new HashBucketSchema(dimension.columnIds(), dimension.bucketCount(), dimension.seed());
    }

    private HashDimension toCommon() {
      return new HashDimension(columnIds, numBuckets, seed);
    }

    public List<Integer> getColumnIds() {
      return columnIds;
    }

    public int getNumBuckets() {
      return numBuckets;
    }

    public int getSeed() {
      return seed;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof HashBucketSchema that && toCommon().equals(that.toCommon());
    }

    @Override
    public int hashCode() {
      return toCommon().hashCode();
    }
  }

  /** A range with its own hash schema. */
  public static final class RangeWithHashSchema {
    public final PartialRow lowerBound;
    public final PartialRow upperBound;
    public final List<HashBucketSchema> hashSchemas;

    /**
     * @param lowerBound inclusive; no column set for unbounded
     * @param upperBound exclusive; no column set for unbounded
     */
    public RangeWithHashSchema(
        PartialRow lowerBound, PartialRow upperBound, List<HashBucketSchema> hashSchemas) {
      this.lowerBound = lowerBound;
      this.upperBound = upperBound;
      this.hashSchemas = List.copyOf(hashSchemas);
    }
  }
}
