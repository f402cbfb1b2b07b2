package dev.kudu4j.server.replica;

import java.util.concurrent.TimeUnit;

/**
 * Bounds of one replica.
 *
 * @param maxQueuedBytes row data that may wait or be under way; more is rejected until it has
 *     shrunk. A single larger request passes if nothing else waits.
 * @param pipelineBytes if at least this much waits, an entry is submitted although one is under
 *     way, so the log is written while the previous entry is applied
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
