package dev.kudu4j.tablet.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Pages of all files of a server, weighed in bytes. What stays is decided by W-TinyLFU (Caffeine):
 * a page that is read once, as a big scan reads it, does not drive out one that is read often.
 *
 * <p>A hit costs a look-up and a count: no checksum, no inflating, no copy. A miss is read by the
 * caller, without a lock; two threads that miss the same page both read it, and one copy is kept.
 *
 * <p>Pinned pages that have been evicted are not in {@link Statistics#bytes}, but in the
 * allocator's numbers. Thread-safe.
 */
public final class PageCache implements AutoCloseable {
  /** About what the objects around a page take: node, key, page, buffer. */
  static final int HEAP_BYTES_PER_PAGE = 512;

  private final BufferAllocator allocator;
  private final boolean ownsAllocator;
  private final Cache<PageKey, Page> pages; // null when nothing is kept
  private final Policy.Eviction<PageKey, Page> policy;
  private final long capacityBytes;
  private final LongSupplier room;
  private final AtomicLong lastNumber = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();

  /**
   * What the cache has done and what it holds.
   *
   * @param bytes weight of the pages held
   * @param capacityBytes most it may hold now
   */
  public record Statistics(
      long hits, long misses, long evictions, long pages, long bytes, long capacityBytes) {}

  /**
   * @param parent shared; pages come from a child of it
   * @param capacityBytes 0 keeps nothing
   */
  public PageCache(BufferAllocator parent, long capacityBytes) {
    this(parent, capacityBytes, () -> Long.MAX_VALUE);
  }

  /**
   * @param room what the cache may weigh now, when others need memory; looked at when a page is
   *     added. Cheap, any thread
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
   * A cache that keeps nothing, for those who want to read the disk. Needs no close.
   *
   * @param allocator shared
   */
  public static PageCache none(BufferAllocator allocator) {
    return new PageCache(allocator, false, 0, () -> 0);
  }

  private Cache<PageKey, Page> newCache(long capacity) {
    return Caffeine.newBuilder()
        .maximumWeight(capacity)
        .weigher((PageKey key, Page page) -> page.weight())
        .evictionListener(this::evicted)
        .executor(Runnable::run)
        .build();
  }

  /** Runs under the map's lock of the key: no page of that key comes or goes meanwhile. */
  private void evicted(PageKey key, Page page, RemovalCause cause) {
    key.file().offsets().remove(key.offset());
    evictions.increment();
    page.unpin();
  }

  /** The pages of a file that is being opened. */
  public FilePages register() {
    return new FilePages(this, lastNumber.incrementAndGet());
  }

  BufferAllocator allocator() {
    return allocator;
  }

  Page pin(PageKey key) {
    Page page = pages == null ? null : pages.getIfPresent(key);
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
    read.unpin(); // theirs was evicted meanwhile; ours serves this caller alone
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
   * Gives memory back, or takes what it gave back again: from now on the cache weighs at most so
   * much, and never more than its capacity.
   */
  public void limitTo(long bytes) {
    if (pages == null) {
      return;
    }
    long limit = Math.max(0, Math.min(bytes, capacityBytes));
    long now = policy.getMaximum();
    boolean grows = limit > now && (limit == capacityBytes || limit - now >= capacityBytes / 64);
    if (limit < now || grows) {
      policy.setMaximum(limit);
    }
  }

  /** Off-heap bytes held: cached, or pinned though evicted. */
  public long allocatedBytes() {
    return allocator.getAllocatedMemory();
  }

  /** Most the cache may hold when there is no pressure. */
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

  /** Drops what is left; all files are closed by then, or their pages would be leaks. */
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
