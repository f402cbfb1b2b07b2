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
 * @param rowsBytes rows and changes in memory; part of the data's. The rest is for what must go on
 *     while they are full: flushing, which takes some megabytes however small the server, and scans
 * @param rowsSoftBytes from which on some writes are refused
 * @param scansBytes what scans work in, with batches on their way out; part of the data's
 * @param pagesBytes page cache; part of the data's, gives way to rows
 * @param inboundBytes requests from their arrival to their answer; part of the heap
 * @param answersBytes errors of remembered answers; part of the heap
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
    long scansBytes,
    long pagesBytes,
    long inboundBytes,
    long answersBytes) {
  /** What {@code --memory_limit_hard_bytes=0} means. */
  public static final long DEFAULT_LIMIT = 1536L << 20;

  private static final int ROWS_PERCENT = 80;
  private static final int SCANS_PERCENT = 12;
  private static final long LEAST_FOR_SCANS = 16L << 20;
  private static final long BESIDE_ROWS = 24L << 20;
  private static final int SOFT_PERCENT = 80;
  private static final int INBOUND_PART = 6; // of the heap
  private static final long LEAST_FOR_ANSWERS = 1L << 20;
  private static final long MOST_FOR_ANSWERS = 16L << 20;

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
    long rows = Math.max(data / 3, Math.min(data / 100 * ROWS_PERCENT, data - BESIDE_ROWS));
    return new MemoryBudget(
        limit,
        heap,
        data,
        rest * 15 / 100,
        rest * 15 / 100,
        heapBytes / 8,
        rows,
        rows / 100 * softPercent,
        Math.max(data / 100 * SCANS_PERCENT, Math.min(data / 4, LEAST_FOR_SCANS)),
        pagesBytes == 0 ? data / 2 : Math.min(pagesBytes, data),
        heapBytes / INBOUND_PART,
        Math.max(LEAST_FOR_ANSWERS, Math.min(heapBytes / 64, MOST_FOR_ANSWERS)));
  }

  /** The same with other room for requests; 0 leaves it as it is. */
  public MemoryBudget withInboundBytes(long bytes) {
    return bytes == 0
        ? this
        : new MemoryBudget(
            limitBytes,
            heapBytes,
            dataBytes,
            networkBytes,
            raftBytes,
            writesBytes,
            rowsBytes,
            rowsSoftBytes,
            scansBytes,
            pagesBytes,
            bytes,
            answersBytes);
  }

  /** The heap that suits a limit: what the start script gives the JVM. */
  public static long heapFor(long limitBytes) {
    return (limitBytes == 0 ? DEFAULT_LIMIT : limitBytes) * 4 / 10;
  }
}
