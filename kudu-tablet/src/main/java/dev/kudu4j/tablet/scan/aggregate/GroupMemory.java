package dev.kudu4j.tablet.scan.aggregate;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The heap that the groups of all aggregations of a process may take. Each aggregation gets an
 * equal share; one that reaches its share returns its groups and begins again, so a small share
 * costs more messages but no answer. Thread-safe.
 */
public final class GroupMemory {
  /** An aggregation gains little by more than this. */
  private static final long MAX_SHARE_BYTES = 16L << 20;

  private static final long MIN_SHARE_BYTES = 64L << 10;

  private final long bytes;
  private final AtomicInteger aggregations = new AtomicInteger();

  public GroupMemory(long bytes) {
    this.bytes = bytes;
  }

  /** An eighth of the heap of this process. */
  public static GroupMemory ofHeap() {
    return new GroupMemory(Runtime.getRuntime().maxMemory() / 8);
  }

  /** Begins an aggregation. */
  public Share join() {
    aggregations.incrementAndGet();
    return new Share();
  }

  /** The part of one aggregation. */
  public final class Share {
    private final AtomicBoolean left = new AtomicBoolean();

    /** The current size of the share, which changes as aggregations begin and end. */
    public long bytes() {
      long equal = bytes / Math.max(1, aggregations.get());
      return Math.max(MIN_SHARE_BYTES, Math.min(MAX_SHARE_BYTES, equal));
    }

    /** Ends the aggregation; a second call does nothing. */
    public void leave() {
      if (left.compareAndSet(false, true)) {
        aggregations.decrementAndGet();
      }
    }
  }
}
