package dev.kudu4j.server.replica;

import java.util.concurrent.TimeUnit;

/**
 * Limits of one replica.
 *
 * @param maxQueuedBytes bytes of row data that may be queued or in flight; requests that would
 *     exceed this limit are rejected. A single larger request is admitted if nothing is queued or
 *     in flight.
 * @param pipelineBytes if at least this many bytes are queued, an entry is submitted although
 *     another one is in flight, so it is logged while the previous entry is applied
 * @param appendTooLongNanos an append to the log that takes this long is reported as slow
 * @param applyTooLongNanos an entry that takes this long to apply is reported as slow
 */
public record ReplicaOptions(
    int maxQueuedBytes, int pipelineBytes, long appendTooLongNanos, long applyTooLongNanos) {
  public static final ReplicaOptions DEFAULT =
      new ReplicaOptions(
          32 << 20, 128 << 10, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(1));

  public ReplicaOptions withTooLong(int appendMillis, int applyMillis) {
    return new ReplicaOptions(
        maxQueuedBytes,
        pipelineBytes,
        TimeUnit.MILLISECONDS.toNanos(appendMillis),
        TimeUnit.MILLISECONDS.toNanos(applyMillis));
  }
}
