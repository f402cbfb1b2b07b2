package dev.kudu4j.tablet.scan.collect;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory that the results of all {@link Collector}s of a process may take. Each scan gets an
 * equal share; one that reaches its share returns its results and begins again, so a small share
 * costs more messages but no answer. Thread-safe.
 */
public final class CollectorMemory {
  /** A scan gains little by more than this. */
  private static final long MAX_SHARE_BYTES = 16L << 20;

  private static final long MIN_SHARE_BYTES = 64L << 10;

  private final long bytes;
  private final AtomicInteger scans = new AtomicInteger();

  public CollectorMemory(long bytes) {
    this.bytes = bytes;
  }

  /** An eighth of the heap of this process. */
  public static CollectorMemory ofHeap() {
    return new CollectorMemory(Runtime.getRuntime().maxMemory() / 8);
  }

  /** Begins a scan. */
  public Share join() {
    scans.incrementAndGet();
    return new Share();
  }

  /** The part of one scan. */
  public final class Share {
    private final AtomicBoolean left = new AtomicBoolean();

    /** The current size of the share, which changes as scans begin and end. */
    public long bytes() {
      long equal = bytes / Math.max(1, scans.get());
      return Math.max(MIN_SHARE_BYTES, Math.min(MAX_SHARE_BYTES, equal));
    }

    /** Ends the scan; a second call does nothing. */
    public void leave() {
      if (left.compareAndSet(false, true)) {
        scans.decrementAndGet();
      }
    }
  }
}
