package dev.kudu4j.client;

import dev.kudu4j.common.proto.common.PartitionSchemaPB.ColumnIdentifierPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.HashBucketSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeSchemaPB;
import java.util.List;

/** Builds the partitioning in requests to the master, which identify columns by name. */
final class PartitionMessages {
  private PartitionMessages() {}

  static HashBucketSchemaPB hashing(List<String> columns, int bucketCount, int seed) {
    return HashBucketSchemaPB.newBuilder()
        .addAllColumns(columns(columns))
        .setNumBuckets(bucketCount)
        .setSeed(seed)
        .build();
  }

  static RangeSchemaPB range(List<String> columns) {
    return RangeSchemaPB.newBuilder().addAllColumns(columns(columns)).build();
  }

  private static List<ColumnIdentifierPB> columns(List<String> names) {
    return names.stream()
        .map(name -> ColumnIdentifierPB.newBuilder().setName(name).build())
        .toList();
  }
}
