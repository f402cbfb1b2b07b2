package dev.kudu4j.tablet.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Where every allocator of the engine comes from: a named root, named children below it. */
public final class Allocators {
  private Allocators() {}

  /**
   * A root allocator.
   *
   * @param limitBytes allocation beyond it fails with an exception of Arrow's
   */
  public static BufferAllocator root(String name, long limitBytes) {
    return new RootAllocator(limitBytes);
  }
}
