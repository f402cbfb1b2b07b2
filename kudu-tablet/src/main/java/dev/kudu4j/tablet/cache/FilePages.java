package dev.kudu4j.tablet.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The pages of one open file. Its number is never used again, so a file that is opened anew is read
 * anew. Thread-safe; {@link #close} when nobody reads any more.
 */
public final class FilePages implements AutoCloseable {
  private final PageCache cache;
  private final long number;

  /** Where cached pages lie; changed under the cache's lock of the page only. */
  private final Set<Long> offsets = ConcurrentHashMap.newKeySet();

  FilePages(PageCache cache, long number) {
    this.cache = cache;
    this.number = number;
  }

  long number() {
    return number;
  }

  Set<Long> offsets() {
    return offsets;
  }

  /** Where the memory for a page to {@link #add} comes from. */
  public BufferAllocator allocator() {
    return cache.allocator();
  }

  /** The page at that offset, pinned for the caller; null when it has to be read. */
  public Page pin(long offset) {
    return cache.pin(new PageKey(this, offset));
  }

  /**
   * Adds a page that was read, and pins it for the caller. When another thread was faster, that is
   * the other one's page.
   *
   * @param memory taken; from {@link #allocator}
   * @param address of the body, within the memory
   * @param kind number of the block's kind
   */
  public Page add(long offset, ArrowBuf memory, long address, int bytes, int kind) {
    return cache.add(new PageKey(this, offset), new Page(memory, address, bytes, kind));
  }

  /** Drops the file's pages; those that are still pinned go with their last pin. */
  @Override
  public void close() {
    for (long offset : offsets) {
      cache.drop(new PageKey(this, offset));
    }
  }
}
