package dev.kudu4j.client.write;

import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;

/**
 * Learns what happens to the writes of a session. Called on the client's threads; must not block.
 *
 * @param <R> the user's answer
 */
public interface WriteListener<R> {
  /** A server reports what a write cost it. */
  void addMetrics(ResourceMetricsPB reported);

  /** An operation failed that was flushed in the background. */
  void failedInBackground(R answer);

  /** A server wrote a batch, except for its failed rows. */
  void batchWritten(String tableName, String tabletId, int rows, int failedRows, long bytes);

  /** A call failed as a whole. */
  void callFailed(String tableName, String tabletId);
}
