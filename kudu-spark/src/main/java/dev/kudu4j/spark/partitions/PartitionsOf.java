package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduTable;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Table;

/**
 * The name of a metadata table: the partitions of {@code t} are in {@code t$partitions}, its ranges
 * in {@code t$range_partitions}. A table that really has such a name precedes.
 *
 * @param table the name of the table that has the partitions
 * @param rangesOnly whether it lists the ranges, not the tablets
 */
public record PartitionsOf(String table, boolean rangesOnly) {
  /** Follows the name of a table: its tablets. */
  public static final String TABLETS = "$partitions";

  /** Follows the name of a table: its ranges. */
  public static final String RANGES = "$range_partitions";

  /** Empty for any other name. */
  public static Optional<PartitionsOf> named(String name) {
    for (String suffix : new String[] {TABLETS, RANGES}) {
      if (name.endsWith(suffix) && name.length() > suffix.length()) {
        String table = name.substring(0, name.length() - suffix.length());
        return Optional.of(new PartitionsOf(table, suffix.equals(RANGES)));
      }
    }
    return Optional.empty();
  }

  /**
   * @param name the name of the metadata table in Spark
   * @throws IllegalArgumentException if the table has no ranges, and they are requested
   */
  public Table load(String name, KuduTable kuduTable) {
    return new PartitionsTable(
        name, rangesOnly ? new RangeList(kuduTable) : new TabletList(kuduTable));
  }
}
