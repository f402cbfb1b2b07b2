package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.RangeRows;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.ColumnIdentifierPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.HashBucketSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeWithHashSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaMapping;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts partitionings to and from wire messages. Clients may identify columns by name; servers
 * respond with ids.
 *
 * <p>Invalid hash schemas and columns throw a {@link SchemaException} (the master's {@code
 * INVALID_SCHEMA} or {@code TOO_MANY_TABLETS}), invalid ranges throw another {@link KuduException}
 * (the master's {@code UNKNOWN_ERROR}).
 */
public final class PartitionWire {
  private PartitionWire() {}

  /**
   * The partitions that a CreateTable request specifies.
   *
   * @param pb null if the request has no partition schema
   * @param table the new table's schema, with ids, in the column order of the request
   * @param splitsAndBounds null if the request has no split rows or bounds
   * @param allowEmpty whether a request without split rows and bounds creates a table without
   *     partitions; if false, the table gets one unbounded range
   */
  public static TablePartitions create(
      @Nullable PartitionSchemaPB pb,
      @Nullable RowOperationsPB splitsAndBounds,
      boolean allowEmpty,
      Schema table,
      int maxPartitions) {
    PartitionSchemaPB request = pb == null ? PartitionSchemaPB.getDefaultInstance() : pb;
    PartitionSchema schema = withoutRanges(request, table);
    schema.validate(table);
    RangeRows rows =
        read(
            splitsAndBounds == null ? RowOperationsPB.getDefaultInstance() : splitsAndBounds,
            schema,
            table);
    boolean anyRows = !rows.bounds().isEmpty() || !rows.splits().isEmpty();
    if (request.getCustomHashSchemaRangesCount() > 0) {
      if (anyRows) {
        throw KuduException.invalidArgument(
            "Both 'split_rows_range_bounds' and 'custom_hash_schema_ranges' cannot be populated at"
                + " the same time");
      }
      List<HashedRange> ranges = ranges(request, schema, table);
      ranges.forEach(range -> schema.validateRangeHashing(range.hashDimensions(), table));
      return TablePartitions.create(schema, table, ranges, maxPartitions);
    }
    if (allowEmpty && !anyRows) {
      return TablePartitions.empty(schema);
    }
    return TablePartitions.create(schema, table, rows.bounds(), rows.splits(), maxPartitions);
  }

  /**
   * The range of an AlterTable step, whose bounds have the columns of {@code requestSchema}.
   *
   * @throws KuduException INVALID_ARGUMENT if there is not exactly one pair of bounds, or the
   *     request's schema does not match the table's
   */
  public static RangeBounds rangeBounds(
      RowOperationsPB bounds, Schema requestSchema, PartitionSchema schema, Schema table) {
    SchemaMapping mapping;
    try {
      mapping = SchemaMapping.match(requestSchema, table);
    } catch (SchemaException e) {
      throw new KuduException(e.code(), e.getMessage(), e);
    }
    RowOperationsReader reader =
        RowOperationsWire.fromWire(bounds, RowLayout.of(requestSchema)).reader();
    return RangeRows.read(reader, schema, table, mapping.messageIndexes()).onlyBounds();
  }

  /**
   * Converts hash dimensions without validating them. Sorts the columns of each by id, as the
   * master stores them.
   */
  public static List<HashDimension> hashDimensions(List<HashBucketSchemaPB> pb, Schema table) {
    return pb.stream()
        .map(
            hash ->
                new HashDimension(
                    columnIds(hash.getColumnsList(), table), hash.getNumBuckets(), hash.getSeed()))
        .toList();
  }

  /**
   * Converts a partition schema that a master sends or stores. If it has no range columns, all key
   * columns except the auto-incrementing one are range columns.
   */
  public static PartitionSchema fromWire(PartitionSchemaPB pb, Schema table) {
    PartitionSchema schema = withoutRanges(pb, table);
    return new PartitionSchema(
        schema.hashDimensions(), schema.rangeColumnIds(), ranges(pb, schema, table));
  }

  private static PartitionSchema withoutRanges(PartitionSchemaPB pb, Schema table) {
    List<Integer> rangeColumns =
        pb.hasRangeSchema()
            ? columnIds(pb.getRangeSchema().getColumnsList(), table)
            : wholeKey(table);
    return new PartitionSchema(
        hashDimensions(pb.getHashSchemaList(), table), rangeColumns, List.of());
  }

  private static List<Integer> wholeKey(Schema table) {
    return table.columns().subList(0, table.keyColumnCount()).stream()
        .filter(column -> !column.isAutoIncrementing())
        .map(column -> column.id())
        .toList();
  }

  private static List<HashedRange> ranges(
      PartitionSchemaPB pb, PartitionSchema schema, Schema table) {
    List<HashedRange> ranges = new ArrayList<>();
    for (RangeWithHashSchemaPB range : pb.getCustomHashSchemaRangesList()) {
      ranges.add(
          new HashedRange(
              read(range.getRangeBounds(), schema, table).onlyBounds(),
              hashDimensions(range.getHashSchemaList(), table)));
    }
    return ranges;
  }

  /** Reads rows with the columns of the table. */
  private static RangeRows read(RowOperationsPB pb, PartitionSchema schema, Schema table) {
    RowOperationsReader reader = RowOperationsWire.fromWire(pb, RowLayout.of(table)).reader();
    return RangeRows.read(reader, schema, table, IntStream.range(0, table.columnCount()).toArray());
  }

  private static List<Integer> columnIds(List<ColumnIdentifierPB> columns, Schema table) {
    List<Integer> ids = new ArrayList<>();
    for (ColumnIdentifierPB column : columns) {
      int index =
          column.hasName() ? table.indexOfName(column.getName()) : table.indexOfId(column.getId());
      if (index < 0) {
        throw SchemaException.invalid(
            "unknown column: %s",
            column.hasName() ? "name: \"" + column.getName() + "\"" : "id: " + column.getId());
      }
      ids.add(table.column(index).id());
    }
    return ids;
  }

  /** A partition schema with ids, as masters send it. */
  public static PartitionSchemaPB toWire(PartitionSchema schema, Schema table) {
    PartitionSchemaPB.Builder pb =
        PartitionSchemaPB.newBuilder()
            .addAllHashSchema(toWire(schema.hashDimensions()))
            .setRangeSchema(
                RangeSchemaPB.newBuilder().addAllColumns(identifiers(schema.rangeColumnIds())));
    for (HashedRange range : schema.customRanges()) {
      pb.addCustomHashSchemaRanges(
          RangeWithHashSchemaPB.newBuilder()
              .setRangeBounds(toWire(range.bounds(), schema, table))
              .addAllHashSchema(toWire(range.hashDimensions())));
    }
    return pb.build();
  }

  private static List<HashBucketSchemaPB> toWire(List<HashDimension> dimensions) {
    return dimensions.stream()
        .map(
            dimension ->
                HashBucketSchemaPB.newBuilder()
                    .addAllColumns(identifiers(dimension.columnIds()))
                    .setNumBuckets(dimension.bucketCount())
                    .setSeed(dimension.seed())
                    .build())
        .toList();
  }

  private static List<ColumnIdentifierPB> identifiers(List<Integer> ids) {
    return ids.stream().map(id -> ColumnIdentifierPB.newBuilder().setId(id).build()).toList();
  }

  /** The bounds as a pair of row operations in the table's schema. */
  public static RowOperationsPB toWire(RangeBounds bounds, PartitionSchema schema, Schema table) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(table));
    write(writer, OperationType.RANGE_LOWER_BOUND, bounds.lower(), schema, table);
    write(writer, OperationType.RANGE_UPPER_BOUND, bounds.upper(), schema, table);
    return RowOperationsWire.toWire(writer);
  }

  private static void write(
      RowOperationsWriter writer,
      OperationType type,
      byte[] rangeKey,
      PartitionSchema schema,
      Schema table) {
    writer.begin(type);
    if (rangeKey.length > 0) {
      byte[][] cells = KeyDecoder.decode(schema.rangeTypes(table), rangeKey);
      for (int i = 0; i < cells.length; i++) {
        writer.setCell(table.indexOfId(schema.rangeColumnIds().get(i)), cells[i]);
      }
    }
    writer.end();
  }

  public static PartitionPB toWire(Partition partition) {
    PartitionPB.Builder pb = PartitionPB.newBuilder();
    for (int i = 0; i < partition.hashDimensionCount(); i++) {
      pb.addHashBuckets(partition.hashBucket(i));
    }
    return pb.setPartitionKeyStart(ByteString.copyFrom(partition.start()))
        .setPartitionKeyEnd(ByteString.copyFrom(partition.end()))
        .build();
  }

  public static Partition fromWire(PartitionPB pb) {
    return new Partition(
        pb.getHashBucketsList().stream().mapToInt(Integer::intValue).toArray(),
        pb.getPartitionKeyStart().toByteArray(),
        pb.getPartitionKeyEnd().toByteArray());
  }
}
