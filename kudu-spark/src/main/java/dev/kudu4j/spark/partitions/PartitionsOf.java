package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduTable;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Table;

/**
 * The name of a metadata table: the partitions of {@code t} are in {@code t$partitions}, its ranges
 * in {@code t$range_partitions}, and with their hash schemas in {@code t$hash_schema}. A table that
 * really has such a name precedes.
 *
 * @param table the name of the table that has the partitions
 * @param suffix which of its metadata tables
 */
public record PartitionsOf(String table, String suffix) {
  /** Follows the name of a table: its tablets. */
  public static final String TABLETS = "$partitions";

  /** Follows the name of a table: its ranges. */
  public static final String RANGES = "$range_partitions";

  /** Follows the name of a table: its ranges with their hash schemas. */
  public static final String HASH_SCHEMA = "$hash_schema";

  /** Empty for any other name. */
  public static Optional<PartitionsOf> named(String name) {
    for (String suffix : new String[] {TABLETS, RANGES, HASH_SCHEMA}) {
      if (name.endsWith(suffix) && name.length() > suffix.length()) {
        String table = name.substring(0, name.length() - suffix.length());
        return Optional.of(new PartitionsOf(table, suffix));
      }
    }
    return Optional.empty();
  }

  /**
   * @param name the name of the metadata table in Spark
   * @throws IllegalArgumentException if the table has no ranges, and they are requested
   */
  public Table load(String name, KuduTable kuduTable) {
    PartitionList list =
        suffix.equals(TABLETS)
            ? new TabletList(kuduTable)
            : new RangeList(kuduTable, suffix.equals(HASH_SCHEMA));
    return new PartitionsTable(name, list);
  }
}
