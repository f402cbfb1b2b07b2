package dev.kudu4j.client.collect;

import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;

/**
 * What a {@link TabletRun} collects. Servers compute a part of it for their tablets; if they
 * cannot, they send rows, and this client computes it: "here". Thread-safe, except that one thread
 * at a time uses a result.
 *
 * @param <R> the result, and the part of a tablet; mutable
 */
public interface TabletCollector<R> {
  R empty();

  /** What to send to servers. */
  ScanQuery query(boolean here);

  /** Adds the rows of a response. */
  void add(RowBatch rows, boolean here, R to);

  /** Adds a part, which is not used afterwards. */
  void merge(R part, R to);

  /** Whether the failure means that the servers cannot compute their part. */
  boolean mustCollectHere(Throwable failure);

  /**
   * Whether responses and parts are so small that an event loop may add and merge them, which saves
   * a change of thread.
   */
  default boolean addsBriefly(boolean here) {
    return false;
  }

  /** Adds the metrics of a response. */
  default void addMetrics(ResourceMetricsPB reported) {}
}
