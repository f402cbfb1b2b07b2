package dev.kudu4j.server.memory;

/**
 * How a process' memory is divided. The heap takes what {@code -Xmx} says, which the start script
 * derives from the same limit.
 *
 * @param limitBytes everything
 * @param heapBytes of the JVM
 * @param dataBytes off-heap memory of the tablets: rows in memory, pages, batches on their way out
 * @param networkBytes buffers of the RPC
 * @param raftBytes write buffers of the logs, about 1.1 MB a replica
 * @param writesBytes row data on its way into the log; part of the heap
 */
public record MemoryBudget(
    long limitBytes,
    long heapBytes,
    long dataBytes,
    long networkBytes,
    long raftBytes,
    long writesBytes) {
  /** What {@code --memory_limit_hard_bytes=0} means. */
  public static final long DEFAULT_LIMIT = 1536L << 20;

  /**
   * @param limitBytes 0 for the default
   * @param heapBytes what the JVM may use
   */
  public static MemoryBudget of(long limitBytes, long heapBytes) {
    long limit = limitBytes == 0 ? DEFAULT_LIMIT : limitBytes;
    long heap = Math.min(heapBytes, limit);
    long rest = Math.max(limit - heap, limit / 4);
    return new MemoryBudget(
        limit, heap, rest * 7 / 10, rest * 15 / 100, rest * 15 / 100, heapBytes / 8);
  }

  /** The heap that suits a limit: what the start script gives the JVM. */
  public static long heapFor(long limitBytes) {
    return (limitBytes == 0 ? DEFAULT_LIMIT : limitBytes) * 4 / 10;
  }
}
