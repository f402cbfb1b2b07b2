package dev.kudu4j.common.partition;

import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats the partitioning of a table for people: {@code HASH (id) PARTITIONS 4, RANGE (day)}.
 * {@link PartitionText} formats single partitions.
 */
public final class PartitioningText {
  private PartitioningText() {}

  public static String of(PartitionSchema partitioning, Schema table) {
    List<String> parts = hashing(partitioning.hashDimensions(), table);
    if (!partitioning.rangeColumnIds().isEmpty()) {
      parts.add("RANGE (" + names(partitioning.rangeColumnIds(), table) + ")");
    }
    int custom = partitioning.customRanges().size();
    if (custom > 0) {
      parts.add(
          custom
              + (custom == 1 ? " range hashed" : " ranges hashed")
              + " with a custom hash schema");
    }
    return parts.isEmpty() ? "not partitioned" : String.join(", ", parts);
  }

  private static List<String> hashing(List<HashDimension> dimensions, Schema table) {
    List<String> parts = new ArrayList<>();
    for (HashDimension dimension : dimensions) {
      parts.add(
          "HASH ("
              + names(dimension.columnIds(), table)
              + ") PARTITIONS "
              + dimension.bucketCount());
    }
    return parts;
  }

  private static String names(List<Integer> columnIds, Schema table) {
    return columnIds.stream()
        .map(id -> table.column(table.indexOfId(id)).name())
        .collect(Collectors.joining(", "));
  }
}
