package dev.kudu4j.spark.write;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/** Plans the writing of a query's rows, which may begin with the removal of all that is there. */
public final class KuduWriteBuilder implements WriteBuilder {
  private final KuduSparkTable table;
  private final LogicalWriteInfo info;

  public KuduWriteBuilder(KuduSparkTable table, LogicalWriteInfo info) {
    this.table = table;
    this.info = info;
  }

  @Override
  public Write build() {
    WriteSettings settings = WriteSettings.of(table.options(info.options()));
    ColumnMatch.of(table.name(), info.schema(), table.kuduTable().getSchema())
        .check(settings.operation(), settings.handleSchemaDrift());
    return new KuduWrite(table, settings, info.schema());
  }
}
