package dev.kudu4j.spark.write;

import dev.kudu4j.spark.catalog.LoadedTable;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;

/** Plans an UPDATE, DELETE or MERGE. */
public final class KuduRowLevelOperationBuilder implements RowLevelOperationBuilder {
  private final LoadedTable table;
  private final RowLevelOperationInfo info;

  public KuduRowLevelOperationBuilder(LoadedTable table, RowLevelOperationInfo info) {
    this.table = table;
    this.info = info;
  }

  @Override
  public RowLevelOperation build() {
    return new KuduRowLevelOperation(table, info.command(), table.options(info.options()).atomic());
  }
}
