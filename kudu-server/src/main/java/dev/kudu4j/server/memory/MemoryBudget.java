package dev.kudu4j.server.memory;

/**
 * The division of a process's memory. The start script computes the heap ({@code -Xmx}) from {@code
 * limitBytes}.
 *
 * @param limitBytes the memory limit of the process
 * @param heapBytes the heap of the JVM
 * @param dataBytes the off-heap memory of the tablets: rows in memory, cached pages, and batches
 *     being sent
 * @param networkBytes the buffers of RPC connections
 * @param raftBytes the write buffers of the logs, about 1.1 MB per replica
 * @param writesBytes the row data being written to the log; part of the heap
 * @param rowsBytes rows and deltas in memory; part of dataBytes. The remainder of dataBytes is for
 *     scans and flushes, which must continue when rowsBytes is used up; a flush needs some
 *     megabytes even on a small server
 * @param rowsSoftBytes the usage of rowsBytes above which some writes are rejected
 * @param scansBytes the working memory of scans, including batches being sent; part of dataBytes
 * @param pagesBytes the page cache; part of dataBytes. The cache shrinks when rows need its memory
 * @param inboundBytes requests that have arrived and are not answered; part of the heap
 * @param requestCacheBytes the row errors in the request cache; part of the heap
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
    long requestCacheBytes) {
  /** The limit for {@code --memory_limit_hard_bytes=0}. */
  public static final long DEFAULT_LIMIT = 1536L << 20;

  private static final int ROWS_PERCENT = 80;
  private static final int SCANS_PERCENT = 12;
  private static final long MIN_FOR_SCANS = 16L << 20;
  private static final long RESERVED_FOR_SCANS_AND_FLUSHES = 24L << 20;
  private static final int SOFT_PERCENT = 80;
  private static final int INBOUND_PART = 6; // of the heap
  private static final long MIN_FOR_RESPONSES = 1L << 20;
  private static final long MAX_FOR_RESPONSES = 16L << 20;

  /**
   * @param limitBytes 0 for the default
   * @param heapBytes the heap that the server may use
   */
  public static MemoryBudget of(long limitBytes, long heapBytes) {
    return of(limitBytes, heapBytes, SOFT_PERCENT, 0);
  }

  /**
   * @param limitBytes 0 for the default
   * @param heapBytes the heap that the server may use
   * @param softPercent percentage of rowsBytes above which some writes are rejected
   * @param pagesBytes the page cache; 0 for half of dataBytes
   */
  public static MemoryBudget of(long limitBytes, long heapBytes, int softPercent, long pagesBytes) {
    long limit = limitBytes == 0 ? DEFAULT_LIMIT : limitBytes;
    long heap = Math.min(heapBytes, limit);
    long rest = Math.max(limit - heap, limit / 4);
    long data = rest * 7 / 10;
    long rows =
        Math.max(
            data / 3, Math.min(data / 100 * ROWS_PERCENT, data - RESERVED_FOR_SCANS_AND_FLUSHES));
    return new MemoryBudget(
        limit,
        heap,
        data,
        rest * 15 / 100,
        rest * 15 / 100,
        heapBytes / 8,
        rows,
        rows / 100 * softPercent,
        Math.max(data / 100 * SCANS_PERCENT, Math.min(data / 4, MIN_FOR_SCANS)),
        pagesBytes == 0 ? data / 2 : Math.min(pagesBytes, data),
        heapBytes / INBOUND_PART,
        Math.max(MIN_FOR_RESPONSES, Math.min(heapBytes / 64, MAX_FOR_RESPONSES)));
  }

  /**
   * A copy of this budget with the given memory for requests; this budget if {@code bytes} is 0.
   */
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
            requestCacheBytes);
  }

  /** The heap size that the start script sets for a memory limit, in bytes. */
  public static long heapFor(long limitBytes) {
    return (limitBytes == 0 ? DEFAULT_LIMIT : limitBytes) * 4 / 10;
  }
}
