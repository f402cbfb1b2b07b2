package dev.kudu4j.tablet.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The pages of all files of a server, weighted by bytes. W-TinyLFU (Caffeine) decides what to
 * evict: pages that are read once, as by a large scan, do not evict pages that are read often.
 *
 * <p>A hit costs one look-up and one counter increment. It needs no checksum, no decompression and
 * no copy. On a miss the caller reads the page without a lock. If two threads miss the same page,
 * both read it and one copy is kept.
 *
 * <p>{@link Statistics#bytes} excludes evicted pages that are still pinned; {@link #allocatedBytes}
 * includes them. Thread-safe.
 */
public final class PageCache implements AutoCloseable {
  /** An estimate of the heap memory per page: map node, key, {@link Page} and buffer object. */
  static final int HEAP_BYTES_PER_PAGE = 512;

  private final BufferAllocator allocator;
  private final boolean ownsAllocator;
  private final @Nullable Cache<PageKey, Page> pages; // null if nothing is cached
  private final Policy.@Nullable Eviction<PageKey, Page> policy; // null if nothing is cached
  private final long capacityBytes;
  private final LongSupplier room;
  private final AtomicLong lastNumber = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();

  /**
   * Statistics of the cache.
   *
   * @param bytes weight of the cached pages
   * @param capacityBytes the current maximum weight
   */
  public record Statistics(
      long hits, long misses, long evictions, long pages, long bytes, long capacityBytes) {}

  /**
   * @param parent not closed by the cache; pages are allocated from a child of it
   * @param capacityBytes 0 caches nothing
   */
  public PageCache(BufferAllocator parent, long capacityBytes) {
    this(parent, capacityBytes, () -> Long.MAX_VALUE);
  }

  /**
   * @param room the maximum weight of the cache under memory pressure; read when a page is added.
   *     Must be cheap and callable from any thread
   */
  public PageCache(BufferAllocator parent, long capacityBytes, LongSupplier room) {
    this(parent.newChildAllocator("page cache", 0, Long.MAX_VALUE), true, capacityBytes, room);
  }

  private PageCache(
      BufferAllocator allocator, boolean ownsAllocator, long capacityBytes, LongSupplier room) {
    this.allocator = allocator;
    this.ownsAllocator = ownsAllocator;
    this.capacityBytes = capacityBytes;
    this.room = room;
    this.pages = capacityBytes == 0 ? null : newCache(capacityBytes);
    this.policy = pages == null ? null : pages.policy().eviction().orElseThrow();
  }

  /**
   * A cache that stores nothing, for callers whose reads must reach the disk. It needs no close.
   *
   * @param allocator not closed by the cache
   */
  public static PageCache none(BufferAllocator allocator) {
    return new PageCache(allocator, false, 0, () -> 0);
  }

  private Cache<PageKey, Page> newCache(long capacity) {
    return Caffeine.newBuilder()
        .maximumWeight(capacity)
        .weigher((PageKey key, Page page) -> page.weight())
        .evictionListener((key, page, cause) -> evicted(key, page))
        .executor(Runnable::run)
        .build();
  }

  /**
   * Called by Caffeine under its lock for the key: no page with the key is added or removed
   * concurrently.
   */
  private void evicted(@Nullable PageKey key, @Nullable Page page) {
    assert key != null && page != null : "the cache holds its keys and pages";
    key.file().offsets().remove(key.offset());
    evictions.increment();
    page.unpin();
  }

  /** Registers a file that is being opened. */
  public FilePages register() {
    return new FilePages(this, lastNumber.incrementAndGet());
  }

  BufferAllocator allocator() {
    return allocator;
  }

  @Nullable Page pin(PageKey key) {
    @Nullable Page page = pages == null ? null : pages.getIfPresent(key);
    if (page != null && page.tryPin()) {
      hits.increment();
      return page;
    }
    misses.increment();
    return null;
  }

  Page add(PageKey key, Page read) {
    if (pages == null) {
      return read;
    }
    limitTo(room.getAsLong());
    boolean pinned = read.tryPin(); // one holder is the cache, one the caller
    assert pinned;
    Page kept =
        pages
            .asMap()
            .computeIfAbsent(
                key,
                absent -> {
                  key.file().offsets().add(key.offset());
                  return read;
                });
    if (kept == read) {
      return read;
    }
    if (kept.tryPin()) {
      read.unpin();
      read.unpin();
      return kept;
    }
    read.unpin(); // the kept page was evicted meanwhile; the page just read is not cached
    return read;
  }

  void drop(PageKey key) {
    if (pages == null) {
      return;
    }
    Page dropped = pages.asMap().remove(key);
    if (dropped != null) {
      dropped.unpin();
    }
  }

  /**
   * Sets the maximum weight of the cache to {@code bytes}, but at most to its capacity. Increases
   * of less than 1/64 of the capacity are skipped unless they reach the capacity.
   */
  public void limitTo(long bytes) {
    if (policy == null) {
      return;
    }
    long limit = Math.max(0, Math.min(bytes, capacityBytes));
    long now = policy.getMaximum();
    boolean grows = limit > now && (limit == capacityBytes || limit - now >= capacityBytes / 64);
    if (limit < now || grows) {
      policy.setMaximum(limit);
    }
  }

  /** Off-heap bytes in use: cached pages, and evicted pages that are still pinned. */
  public long allocatedBytes() {
    return allocator.getAllocatedMemory();
  }

  /** The maximum weight without memory pressure. */
  public long capacityBytes() {
    return capacityBytes;
  }

  public Statistics statistics() {
    return new Statistics(
        hits.sum(),
        misses.sum(),
        evictions.sum(),
        pages == null ? 0 : pages.estimatedSize(),
        policy == null ? 0 : policy.weightedSize().orElse(0),
        policy == null ? 0 : policy.getMaximum());
  }

  /**
   * Drops the remaining pages. All files must have been closed; otherwise pages that are still
   * pinned leak.
   */
  @Override
  public void close() {
    if (pages != null) {
      pages.asMap().keySet().forEach(this::drop);
    }
    if (ownsAllocator) {
      allocator.close();
    }
  }
}
