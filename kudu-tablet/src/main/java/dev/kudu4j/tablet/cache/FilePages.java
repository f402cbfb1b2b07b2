package dev.kudu4j.tablet.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The cached pages of one open file. Each opening of a file gets a new number, so a reopened file
 * does not use pages that were cached before. Thread-safe; {@link #close} requires that there are
 * no readers.
 */
public final class FilePages implements AutoCloseable {
  private final PageCache cache;
  private final long number;

  /** Offsets of cached pages; modified only under the cache's lock for the page. */
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

  /** The allocator for the memory of a page to {@link #add}. */
  public BufferAllocator allocator() {
    return cache.allocator();
  }

  /** The page at the offset, pinned for the caller; null if it has to be read. */
  public @Nullable Page pin(long offset) {
    return cache.pin(new PageKey(this, offset));
  }

  /**
   * Adds a page that was read, and pins it for the caller. If another thread was faster, returns
   * that thread's page.
   *
   * @param memory allocated from {@link #allocator}; this call takes ownership
   * @param address the address of the body, within the memory
   * @param kind number of the block's kind
   */
  public Page add(long offset, ArrowBuf memory, long address, int bytes, int kind) {
    return cache.add(new PageKey(this, offset), new Page(memory, address, bytes, kind));
  }

  /** Drops the file's pages; those still pinned are freed by their last unpin. */
  @Override
  public void close() {
    for (long offset : offsets) {
      cache.drop(new PageKey(this, offset));
    }
  }
}
