package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Deletes all rows of a table with a Spark job: tasks read the keys at one snapshot, and delete
 * them. Rows that others write in the meantime remain. The deletion is atomic if that is an option
 * of the catalog. Time travel can read the deleted rows as after any delete.
 *
 * <p>Dropping the partitions and adding them again would be faster. But that would remove the
 * history of the rows, and it is not possible for a table without range columns.
 */
public final class Truncation {
  private Truncation() {}

  public static void deleteAllRows(LoadedTable table) {
    Map<String, String> options = new HashMap<>(table.defaults().asMap());
    options.keySet().removeIf(KuduOptions.SNAPSHOT_TIMESTAMP_MS::equalsIgnoreCase);
    options.keySet().removeIf(KuduOptions.FRESHNESS::equalsIgnoreCase);
    options.put(KuduOptions.TABLE, table.kuduTable().getName());
    SparkSession.active()
        .read()
        .format("kudu")
        .options(options)
        .load()
        .select(keyColumns(table))
        .write()
        .format("kudu")
        .options(options)
        .option(KuduOptions.OPERATION, WriteOperation.DELETE_IGNORE.optionValue())
        .mode(SaveMode.Append)
        .save();
  }

  private static Column[] keyColumns(LoadedTable table) {
    return table.kuduTable().getSchema().getPrimaryKeyColumns().stream()
        .map(ColumnSchema::getName)
        .map(name -> functions.col("`" + name.replace("`", "``") + "`"))
        .toArray(Column[]::new);
  }
}
