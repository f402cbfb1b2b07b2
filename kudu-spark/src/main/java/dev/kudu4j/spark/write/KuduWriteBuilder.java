package dev.kudu4j.spark.write;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/** Plans the writing of a query's rows. */
public final class KuduWriteBuilder implements WriteBuilder {
  private final KuduSparkTable table;
  private final LogicalWriteInfo info;

  public KuduWriteBuilder(KuduSparkTable table, LogicalWriteInfo info) {
    this.table = table;
    this.info = info;
  }

  @Override
  public Write build() {
    throw new UnsupportedOperationException(
        "Table " + table.name() + " cannot be written yet, by query " + info.queryId());
  }
}
