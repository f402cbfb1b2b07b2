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
 * @param rowsBytes rows and changes in memory; part of the data's. The rest of the data's memory is
 *     for what must go on while they are full: applying, flushing, scans
 * @param rowsSoftBytes from which on some writes are refused
 * @param pagesBytes page cache; part of the data's, gives way to rows
 */
public record MemoryBudget(
    long limitBytes,
    long heapBytes,
    long dataBytes,
    long networkBytes,
    long raftBytes,
    long writesBytes,
    long rowsBytes,
    long rowsSoftBytes,
    long pagesBytes) {
  /** What {@code --memory_limit_hard_bytes=0} means. */
  public static final long DEFAULT_LIMIT = 1536L << 20;

  private static final int ROWS_PERCENT = 80;
  private static final int SOFT_PERCENT = 80;

  /**
   * @param limitBytes 0 for the default
   * @param heapBytes what the JVM may use
   */
  public static MemoryBudget of(long limitBytes, long heapBytes) {
    return of(limitBytes, heapBytes, SOFT_PERCENT, 0);
  }

  /**
   * @param limitBytes 0 for the default
   * @param heapBytes what the JVM may use
   * @param softPercent of the rows' memory
   * @param pagesBytes 0 for half of the data's memory
   */
  public static MemoryBudget of(long limitBytes, long heapBytes, int softPercent, long pagesBytes) {
    long limit = limitBytes == 0 ? DEFAULT_LIMIT : limitBytes;
    long heap = Math.min(heapBytes, limit);
    long rest = Math.max(limit - heap, limit / 4);
    long data = rest * 7 / 10;
    long rows = data / 100 * ROWS_PERCENT;
    return new MemoryBudget(
        limit,
        heap,
        data,
        rest * 15 / 100,
        rest * 15 / 100,
        heapBytes / 8,
        rows,
        rows / 100 * softPercent,
        pagesBytes == 0 ? data / 2 : Math.min(pagesBytes, data));
  }

  /** The heap that suits a limit: what the start script gives the JVM. */
  public static long heapFor(long limitBytes) {
    return (limitBytes == 0 ? DEFAULT_LIMIT : limitBytes) * 4 / 10;
  }
}
