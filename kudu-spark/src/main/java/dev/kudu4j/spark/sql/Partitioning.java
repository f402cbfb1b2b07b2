package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.catalog.TableProperties;
import dev.kudu4j.spark.sql.ImpalaSqlParser.DimensionContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.HashContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.HashingContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.PartitionByContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.RangesContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * PARTITION BY.
 *
 * @param buckets the hash dimensions, as Spark transforms
 * @param rangeColumns empty without ranges
 * @param ranges null without ranges
 */
record Partitioning(List<String> buckets, List<String> rangeColumns, RangesContext ranges) {
  /**
   * @param partitionBy null for a table without partitions
   */
  static Partitioning of(PartitionByContext partitionBy, TableColumns columns) {
    List<String> buckets = new ArrayList<>();
    List<String> rangeColumns = List.of();
    RangesContext ranges = null;
    if (partitionBy != null) {
      for (DimensionContext dimension : partitionBy.dimension()) {
        if (dimension instanceof HashContext hash) {
          buckets.add(bucket(hash.hashing(), columns));
        } else if (ranges != null) {
          throw Grammar.error(
              dimension,
              "PARTITION BY has two RANGE clauses; write one, with all its columns and ranges");
        } else {
          ranges = (RangesContext) dimension;
          rangeColumns = columns.of(ranges.columns(), ranges, "PARTITION BY RANGE");
        }
      }
    }
    return new Partitioning(buckets, rangeColumns, ranges);
  }

  private static String bucket(HashingContext hash, TableColumns columns) {
    return columns.of(hash.columns(), hash, "PARTITION BY HASH").stream()
        .map(NameList::quoted)
        .collect(Collectors.joining(", ", "bucket(" + hash.NUMBER().getText() + ", ", ")"));
  }

  void addProperties(TableColumns columns, RangeText text, Map<String, String> properties) {
    if (ranges != null) {
      properties.put(TableProperties.RANGE_COLUMNS, NameList.text(rangeColumns));
      properties.put(
          TableProperties.RANGE_PARTITIONS,
          ranges.hashedRange().stream()
              .map(
                  range ->
                      text.of(range, hash -> columns.of(hash.columns(), hash, "PARTITION … HASH")))
              .collect(Collectors.joining("; ")));
    }
  }
}
