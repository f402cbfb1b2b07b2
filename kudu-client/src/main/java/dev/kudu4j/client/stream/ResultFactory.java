package dev.kudu4j.client.stream;

import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyMerge;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;

/**
 * Creates the batches that users read, and receives the metrics that servers report with them.
 *
 * @param <B> a user's batch of rows
 */
public interface ResultFactory<B> {
  /** A batch without rows. */
  B empty();

  /**
   * The rows that one tablet sent.
   *
   * @param fetched has rows
   */
  B ofTablet(FetchedBatch<RowBatch> fetched);

  /** The rows of several tablets, in the order of the primary key. */
  B ofMerge(KeyMerge.Merged rows);

  /** Adds the metrics of a response to the counters of the scan. */
  void addMetrics(ResourceMetricsPB reported);
}
