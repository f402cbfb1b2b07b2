package dev.kudu4j.tablet.scan.collect;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of the results of all {@link Collector}s of a process. A scan that is full
 * returns the results that it has and begins again. So a low limit causes more messages, but no
 * wrong result.
 *
 * <ul>
 *   <li>A scan is full if it holds its share: half of the limit divided by the number of scans, at
 *       least 64 KB and at most 16 MB. If all scans together hold more than half of the limit, a
 *       scan is full at 64 KB.
 *   <li>A new scan is rejected if all scans together hold the whole limit.
 * </ul>
 *
 * <p>The other half of the limit is for scans that exceed their share: a table doubles when it
 * grows, and a scan compares its memory with its share only after each block.
 *
 * <p>Thread-safe.
 */
public final class CollectorMemory {
  /** More memory than this hardly makes a scan faster. */
  private static final long MAX_SHARE_BYTES = 16L << 20;

  /** A scan with less than this would return its results after each block. */
  static final long MIN_SHARE_BYTES = 64L << 10;

  private static final int MIN_BLOCK_ROWS = 512;

  /** The assumed memory of a row that is a group of its own. */
  private static final int ROW_BYTES = 256;

  private static final CollectorMemory OF_PROCESS =
      new CollectorMemory(Runtime.getRuntime().maxMemory() / 4);

  private final long limitBytes;
  private final AtomicInteger scans = new AtomicInteger();
  private final AtomicLong held = new AtomicLong();

  CollectorMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * The memory of all scans of this process: a quarter of its heap, which all its servers share.
   */
  public static CollectorMemory ofProcess() {
    return OF_PROCESS;
  }

  /** The maximum memory that the results of all scans should take. */
  public long limitBytes() {
    return limitBytes;
  }

  /** The heap that the results of all scans take. */
  public long usedBytes() {
    return held.get();
  }

  /**
   * Begins a scan.
   *
   * @throws KuduException SERVICE_UNAVAILABLE if other scans hold too much; a later call may
   *     succeed
   */
  public Share join() {
    long used = held.get();
    if (used >= limitBytes) {
      throw KuduException.serviceUnavailable(
          "The groups of %d open aggregations take %d bytes, of at most %d on this server (a"
              + " quarter of its heap); try again later, run fewer aggregations at a time, or raise"
              + " --memory_limit_hard_bytes",
          scans.get(), used, limitBytes);
    }
    scans.incrementAndGet();
    return new Share();
  }

  /** The memory of one scan. For one thread at a time. */
  public final class Share {
    private long heldBytes;
    private boolean left;

    /** Sets the heap that the results of the scan take. */
    public void hold(long bytes) {
      if (!left) {
        held.addAndGet(bytes - heldBytes);
        heldBytes = bytes;
      }
    }

    /**
     * Whether the scan must return its results if they take this much memory. This changes as other
     * scans begin, grow and end.
     */
    public boolean isFull(long bytes) {
      return bytes >= (held.get() > limitBytes / 2 ? MIN_SHARE_BYTES : share());
    }

    /**
     * The rows of a block, up to {@code max}. A scan compares its memory with its share after each
     * block, so blocks are smaller if shares are small.
     */
    public int blockRows(int max) {
      int rows = Integer.highestOneBit((int) (share() / ROW_BYTES));
      return Math.min(max, Math.max(MIN_BLOCK_ROWS, rows));
    }

    private long share() {
      long equal = limitBytes / 2 / Math.max(1, scans.get());
      return Math.max(MIN_SHARE_BYTES, Math.min(MAX_SHARE_BYTES, equal));
    }

    /** Ends the scan; a second call does nothing. */
    public void leave() {
      hold(0);
      if (!left) {
        left = true;
        scans.decrementAndGet();
      }
    }
  }
}
