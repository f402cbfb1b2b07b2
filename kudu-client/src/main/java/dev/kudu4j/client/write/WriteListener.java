package dev.kudu4j.client.write;

import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;

/**
 * Receives the events of a session's writes. Called on the client's threads; must not block.
 *
 * @param <R> the response to an operation, as the application receives it
 */
public interface WriteListener<R> {
  /** A server reported the resource metrics of a write. */
  void addMetrics(ResourceMetricsPB reported);

  /** An operation that was flushed in the background failed. */
  void failedInBackground(R answer);

  /** A server wrote a batch, except for its failed rows. */
  void batchWritten(String tableName, String tabletId, int rows, int failedRows, long bytes);

  /** A call failed as a whole. */
  void callFailed(String tableName, String tabletId);
}
