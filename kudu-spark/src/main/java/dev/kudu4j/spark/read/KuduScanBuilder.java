package dev.kudu4j.spark.read;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;

/** Collects what a query asks of a table. */
public final class KuduScanBuilder implements ScanBuilder {
  private final KuduSparkTable table;
  private final KuduOptions options;

  public KuduScanBuilder(KuduSparkTable table, KuduOptions options) {
    this.table = table;
    this.options = options;
  }

  @Override
  public Scan build() {
    throw new UnsupportedOperationException(
        "Table " + table.name() + " cannot be read yet" + options.batchBytes());
  }
}
