package dev.kudu4j.server.replica;

/**
 * Bounds of one replica's write queue.
 *
 * @param maxQueuedBytes row data that may wait or be under way; more is refused until it has
 *     shrunk. A single larger request passes when nothing else waits.
 * @param pipelineBytes when at least this much waits, an entry goes out although one is under way,
 *     so that the log is written while the entry before is applied
 */
public record ReplicaOptions(int maxQueuedBytes, int pipelineBytes) {
  public static final ReplicaOptions DEFAULT = new ReplicaOptions(32 << 20, 128 << 10);
}
