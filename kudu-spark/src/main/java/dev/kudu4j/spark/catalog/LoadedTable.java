package dev.kudu4j.spark.catalog;

import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.client.ClusterErrors;
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

  /**
   * The table with its current hash schemas. A range with its own hash schema may have been added
   * since the table was opened; with the previous ones, its tablets would be found by wrong hashes.
   *
   * @throws IllegalStateException if the columns have changed, too
   */
  public LoadedTable withCurrentHashing() {
    KuduTable current = current();
    if (hasHashingOf(current)) {
      return this;
    }
    if (!current.getSchema().equals(kuduTable.getSchema())) {
      throw new IllegalStateException(
          "Columns and hash schemas of table "
              + name
              + " were changed after the query was analyzed; run it again, from a new DataFrame");
    }
    return new LoadedTable(name, connection, current, defaults, snapshot, analysis);
  }

  /**
   * Checks that the hash schemas have not changed since the table was opened.
   *
   * @throws IllegalStateException if they have
   */
  public void checkHashing() {
    if (!hasHashingOf(current())) {
      throw new IllegalStateException(
          "A range with its own hash schema was added to or dropped from table "
              + name
              + " after the query was planned; run it again, from a new DataFrame");
    }
  }

  private boolean hasHashingOf(KuduTable current) {
    return current.getPartitionSchema().equals(kuduTable.getPartitionSchema());
  }

  /** The table as it is now; the known one if it cannot have changed, or was dropped. */
  private KuduTable current() {
    if (kuduTable.getPartitionSchema().getRangeSchema().getColumnIds().isEmpty()) {
      return kuduTable;
    }
    try {
      return connection.client().openTableById(kuduTable.getTableId());
    } catch (KuduException e) {
      if (e.getStatus().isNotFound()) {
        return kuduTable;
      }
      throw ClusterErrors.of("The hash schemas of table " + name + " cannot be read", e);
    }
  }

  /** The name in Spark's messages. */
  @Override
  public String toString() {
    return name;
  }
}
