package dev.kudu4j.spark.catalog;

import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.client.Connection;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table as the catalog loaded it, for reads and writes. Used on the driver; splits and writer
 * factories contain what tasks need.
 *
 * @param name the name in Spark
 * @param kuduTable the table as the client opened it, with its schema at that time
 * @param defaults the options of the catalog
 * @param snapshot hybrid time to read at; empty for the current time
 * @param analysis statistics for the optimizer that only this session knows, by the ids of columns
 */
public record LoadedTable(
    String name,
    Connection connection,
    KuduTable kuduTable,
    KuduOptions defaults,
    OptionalLong snapshot,
    Map<Integer, KuduColumnStatistics> analysis) {
  /** The options of one read or write: its own options precede those of the catalog. */
  public KuduOptions options(CaseInsensitiveStringMap perUse) {
    return defaults.anySchema() // from format("kudu"), which created the catalog with these options
        ? defaults.with(perUse.asCaseSensitiveMap())
        : defaults.withFixedTable(name, perUse.asCaseSensitiveMap());
  }

  /** For Spark's messages. */
  @Override
  public String toString() {
    return name;
  }
}
