package dev.kudu4j.tablet.memory;

import java.util.function.LongPredicate;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Where every allocator of the engine comes from: a root, and named children below it. */
public final class Allocators {
  /** Arrow would round up to a power of two, which takes a third more on average. */
  private static final long ROUND_TO = 64;

  private Allocators() {}

  /**
   * A root allocator.
   *
   * @param limitBytes allocation beyond it fails with an exception of Arrow's
   */
  public static BufferAllocator root(long limitBytes) {
    return root(limitBytes, needed -> false);
  }

  /**
   * A root allocator that asks for room before it fails.
   *
   * @param makeRoom is told the bytes needed when the limit is reached; whether some memory has
   *     been given back, so that it is worth another try
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
