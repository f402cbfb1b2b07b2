package dev.kudu4j.tablet.memory;

import java.util.function.LongPredicate;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Creates the root allocator of the engine. Each user of memory creates a named child of it. */
public final class Allocators {
  /**
   * Sizes are rounded up to a multiple of this. Arrow would round up to a power of two, which takes
   * a third more memory on average.
   */
  private static final long ROUND_TO = 64;

  private Allocators() {}

  /**
   * A root allocator.
   *
   * @param limitBytes allocations beyond it throw Arrow's OutOfMemoryException
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
