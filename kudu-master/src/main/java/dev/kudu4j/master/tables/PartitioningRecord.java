package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.ColumnIdentifierPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.HashBucketSchemaPB;
import dev.kudu4j.master.proto.catalog.PartitioningPB;
import java.util.List;

/**
 * Converts a partition schema from and to its record in the catalog. The record has column ids and
 * encoded keys, which stay valid when columns are renamed.
 */
public final class PartitioningRecord {
  private PartitioningRecord() {}

  static PartitioningPB write(PartitionSchema schema) {
    PartitioningPB.Builder record =
        PartitioningPB.newBuilder()
            .addAllHashSchema(write(schema.hashDimensions()))
            .addAllRangeColumnIds(schema.rangeColumnIds());
    for (HashedRange range : schema.customRanges()) {
      record.addCustomRanges(
          PartitioningPB.Range.newBuilder()
              .setLower(ByteString.copyFrom(range.bounds().lower()))
              .setUpper(ByteString.copyFrom(range.bounds().upper()))
              .addAllHashSchema(write(range.hashDimensions())));
    }
    return record.build();
  }

  private static List<HashBucketSchemaPB> write(List<HashDimension> dimensions) {
    return dimensions.stream().map(PartitioningRecord::write).toList();
  }

  private static HashBucketSchemaPB write(HashDimension dimension) {
    HashBucketSchemaPB.Builder record =
        HashBucketSchemaPB.newBuilder()
            .setNumBuckets(dimension.bucketCount())
            .setSeed(dimension.seed());
    for (int id : dimension.columnIds()) {
      record.addColumns(ColumnIdentifierPB.newBuilder().setId(id));
    }
    return record.build();
  }

  /** The partition schema of a record. */
  public static PartitionSchema read(PartitioningPB record) {
    List<HashedRange> ranges =
        record.getCustomRangesList().stream()
            .map(
                range ->
                    new HashedRange(
                        new RangeBounds(
                            range.getLower().toByteArray(), range.getUpper().toByteArray()),
                        read(range.getHashSchemaList())))
            .toList();
    return new PartitionSchema(
        read(record.getHashSchemaList()),
        record.getRangeColumnIdsList().stream().map(Integer::intValue).toList(),
        ranges);
  }

  private static List<HashDimension> read(List<HashBucketSchemaPB> records) {
    return records.stream()
        .map(
            record ->
                new HashDimension(
                    record.getColumnsList().stream().map(ColumnIdentifierPB::getId).toList(),
                    record.getNumBuckets(),
                    record.getSeed()))
        .toList();
  }
}
