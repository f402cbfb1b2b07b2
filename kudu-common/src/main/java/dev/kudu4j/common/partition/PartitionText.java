package dev.kudu4j.common.partition;

import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats a partition for people: {@code HASH (id) PARTITION 1, RANGE (key) PARTITION 2 <= VALUES <
 * 3}.
 */
public final class PartitionText {
  private PartitionText() {}

  public static String of(Partition partition, PartitionSchema partitioning, Schema table) {
    List<String> parts = new ArrayList<>();
    byte[] lower = partition.rangeBounds().lower();
    List<HashDimension> dimensions = partitioning.hashDimensionsOf(lower, 0, lower.length);
    for (int i = 0; i < partition.hashDimensionCount(); i++) {
      parts.add(
          "HASH (%s) PARTITION %d"
              .formatted(names(dimensions.get(i).columnIds(), table), partition.hashBucket(i)));
    }
    if (!partitioning.rangeColumnIds().isEmpty()) {
      parts.add(
          "RANGE (%s) PARTITION %s"
              .formatted(
                  names(partitioning.rangeColumnIds(), table),
                  RangeText.of(partition.rangeBounds(), partitioning, table)));
    }
    return parts.isEmpty() ? "the whole table" : String.join(", ", parts);
  }

  private static String names(List<Integer> columnIds, Schema table) {
    return columnIds.stream()
        .map(id -> table.column(table.indexOfId(id)).name())
        .collect(Collectors.joining(", "));
  }
}
