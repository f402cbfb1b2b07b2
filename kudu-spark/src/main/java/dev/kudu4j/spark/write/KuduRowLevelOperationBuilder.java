package dev.kudu4j.spark.write;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;

/** Plans an UPDATE, DELETE or MERGE. */
public final class KuduRowLevelOperationBuilder implements RowLevelOperationBuilder {
  private final KuduSparkTable table;
  private final RowLevelOperationInfo info;

  public KuduRowLevelOperationBuilder(KuduSparkTable table, RowLevelOperationInfo info) {
    this.table = table;
    this.info = info;
  }

  @Override
  public RowLevelOperation build() {
    return new KuduRowLevelOperation(table, info.command());
  }
}
