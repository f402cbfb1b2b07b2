package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.read.KuduScanBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * An UPDATE, DELETE or MERGE, as changes of single rows: Spark reads the affected rows at one
 * snapshot, and returns the change of each. The key identifies a row.
 */
final class KuduRowLevelOperation implements SupportsDelta {
  private final LoadedTable table;
  private final Command command;
  private final boolean atomic;

  /**
   * @param atomic whether all changes become visible at once
   */
  KuduRowLevelOperation(LoadedTable table, Command command, boolean atomic) {
    this.table = table;
    this.command = command;
    this.atomic = atomic;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public String description() {
    return "Kudu " + command + " of " + table.name();
  }

  /**
   * Scans the rows that may be affected. Spark's runtime filters are disabled: for UPDATE and MERGE
   * Spark would compute them with a separate query, which reads the table a second time. Those of
   * {@code MergeKeys} read the source only.
   */
  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    Map<String, String> all = new HashMap<>(options.asCaseSensitiveMap());
    all.put(KuduOptions.RUNTIME_FILTERS, "false");
    all.keySet().removeIf(KuduOptions.FRESHNESS::equalsIgnoreCase); // would undo newer changes
    return new KuduScanBuilder(table, table.options(new CaseInsensitiveStringMap(all)));
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    if (command == Command.UPDATE) {
      checkAllColumnsMayChange();
    }
    return new KuduDeltaWrite.Builder(table, command, info, atomic);
  }

  @Override
  public NamedReference[] rowId() {
    return table.kuduTable().getSchema().getPrimaryKeyColumns().stream()
        .map(key -> Expressions.column(TableDescription.quoted(key.getName())))
        .toArray(NamedReference[]::new);
  }

  /**
   * Rejects an UPDATE of a table with immutable columns. An UPDATE writes whole rows, since Spark
   * does not report which columns it changes.
   */
  private void checkAllColumnsMayChange() {
    List<String> immutable =
        table.kuduTable().getSchema().getColumns().stream()
            .filter(ColumnSchema::isImmutable)
            .map(ColumnSchema::getName)
            .toList();
    if (!immutable.isEmpty()) {
      throw new UnsupportedOperationException(
          "UPDATE writes all columns of a row, and in table "
              + table.name()
              + " these cannot be changed: "
              + String.join(", ", immutable)
              + ". Write the keys and the columns to change with format(\"kudu\") and"
              + " option(\"kudu.operation\", \"update\")");
    }
  }
}
