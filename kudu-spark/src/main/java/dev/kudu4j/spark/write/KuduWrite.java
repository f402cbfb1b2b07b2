package dev.kudu4j.spark.write;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.types.StructType;

/** A planned write. */
final class KuduWrite implements RequiresDistributionAndOrdering {
  private final KuduSparkTable table;
  private final WriteSettings settings;
  private final StructType data;
  private final RowArrangement arrangement;

  KuduWrite(KuduSparkTable table, WriteSettings settings, StructType data) {
    this.table = table;
    this.settings = settings;
    this.data = data;
    this.arrangement = RowArrangement.of(table.kuduTable(), settings, data);
  }

  @Override
  public String description() {
    return "Kudu " + settings.operation().word() + " into " + table.name();
  }

  @Override
  public BatchWrite toBatch() {
    return new KuduBatchWrite(table, settings, data);
  }

  @Override
  public Distribution requiredDistribution() {
    return arrangement.distribution();
  }

  /** It is for speed only: Spark may split what is large. */
  @Override
  public boolean distributionStrictlyRequired() {
    return false;
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return arrangement.ordering();
  }

  @Override
  public String toString() {
    return description();
  }
}
