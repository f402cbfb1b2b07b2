package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/** A planned write. */
final class KuduWrite implements RequiresDistributionAndOrdering {
  private final LoadedTable table;
  private final WriteSettings settings;
  private final StructType data;
  private final String queryId;
  private final Optional<List<KuduPredicate>> replaced;
  private final RowArrangement arrangement;

  /**
   * @param queryId of Spark; of a stream the one that its checkpoint keeps
   * @param replaced predicates whose conjunction selects the rows to delete first; an empty {@link
   *     Optional} deletes none, an empty list deletes all
   */
  KuduWrite(
      LoadedTable table,
      WriteSettings settings,
      StructType data,
      String queryId,
      Optional<List<KuduPredicate>> replaced) {
    this.table = table;
    this.settings = settings;
    this.data = data;
    this.queryId = queryId;
    this.replaced = replaced;
    this.arrangement = RowArrangement.of(table.kuduTable(), settings, data);
  }

  @Override
  public String description() {
    return "Kudu " + settings.operation().optionValue() + " into " + table.name();
  }

  @Override
  public BatchWrite toBatch() {
    return new KuduBatchWrite(table, settings, data, replaced);
  }

  @Override
  public StreamingWrite toStreaming() {
    if (replaced.isPresent()) {
      throw new IllegalArgumentException(
          "A stream cannot replace table "
              + table.name()
              + " with each batch; use outputMode(\"update\"), which upserts what has changed");
    }
    if (settings.handleSchemaDrift()) {
      throw new IllegalArgumentException(
          "A stream cannot add columns to table "
              + table.name()
              + "; set kudu.handleSchemaDrift=false");
    }
    return new KuduStreamingWrite(table, settings, data, queryId);
  }

  @Override
  public Distribution requiredDistribution() {
    return arrangement.distribution();
  }

  /** The distribution only improves performance: Spark may split large partitions. */
  @Override
  public boolean distributionStrictlyRequired() {
    return false;
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return arrangement.ordering().toArray(new SortOrder[0]);
  }

  @Override
  public String toString() {
    return description();
  }
}
