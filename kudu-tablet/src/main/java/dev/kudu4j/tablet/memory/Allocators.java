package dev.kudu4j.tablet.memory;

import java.util.function.LongPredicate;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Creates all allocators of the engine: a root and named children. */
public final class Allocators {
  /** Arrow would round up to a power of two, which takes a third more on average. */
  private static final long ROUND_TO = 64;

  private Allocators() {}

  /**
   * A root allocator.
   *
   * @param limitBytes allocations beyond it throw Arrow's exception
   */
  public static BufferAllocator root(long limitBytes) {
    return root(limitBytes, needed -> false);
  }

  /**
   * A root allocator that requests memory before it fails.
   *
   * @param makeRoom called with the bytes needed when the limit is reached; returns whether memory
   *     was freed, so the allocation can be retried
   */
  public static BufferAllocator root(long limitBytes, LongPredicate makeRoom) {
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public boolean onFailedAllocation(long bytes, AllocationOutcome outcome) {
            return makeRoom.test(bytes);
          }
        };
    return new RootAllocator(listener, limitBytes, Allocators::rounded);
  }

  private static long rounded(long bytes) {
    return (bytes + ROUND_TO - 1) & -ROUND_TO;
  }
}
