package dev.kudu4j.tablet.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageCacheTest {
  private static final int PAGE_BYTES = 4096;
  private static final int KIND = 1;

  private final BufferAllocator allocator = Allocators.root(1 << 28);

  @AfterEach
  void nothingIsLeft() {
    allocator.close(); // fails if memory is still held
  }

  /**
   * Reads a page through the cache, as a file does. On a miss the page is filled with the file
   * number and the page offset, so a test can identify the page.
   */
  private static Page read(FilePages file, long offset) {
    Page cached = file.pin(offset);
    if (cached != null) {
      return cached;
    }
    ArrowBuf memory = file.allocator().buffer(PAGE_BYTES);
    for (int at = 0; at < PAGE_BYTES; at += 16) {
      Memory.putLong(memory.memoryAddress() + at, file.number());
      Memory.putLong(memory.memoryAddress() + at + 8, offset);
    }
    return file.add(offset, memory, memory.memoryAddress(), PAGE_BYTES, KIND);
  }

  private static boolean holds(Page page, FilePages file, long offset) {
    boolean same = true;
    for (int at = 0; at < PAGE_BYTES; at += 16) {
      same &= Memory.getLong(page.address() + at) == file.number();
      same &= Memory.getLong(page.address() + at + 8) == offset;
    }
    return same;
  }

  @Test
  void aPageIsReadOnce() {
    try (PageCache cache = new PageCache(allocator, 1 << 20);
        FilePages file = cache.register()) {
      Page first = read(file, 16);
      Page second = read(file, 16);
      assertThat(second).isSameAs(first);
      first.unpin();
      second.unpin();
      assertThat(cache.statistics())
          .extracting(PageCache.Statistics::hits, PageCache.Statistics::misses)
          .containsExactly(1L, 1L);
      assertThat(cache.statistics().bytes()).isGreaterThanOrEqualTo(PAGE_BYTES);
    }
  }

  @Test
  void filesAreSeparateAndAReopenedFileIsReadAgain() {
    try (PageCache cache = new PageCache(allocator, 1 << 20);
        FilePages one = cache.register();
        FilePages other = cache.register()) {
      read(one, 16).unpin();
      assertThat(other.pin(16)).isNull();
    }
  }

  @Test
  void aCacheWithoutCapacityServesPages() {
    try (PageCache cache = new PageCache(allocator, 0);
        FilePages file = cache.register()) {
      Page page = read(file, 16);
      assertThat(holds(page, file, 16)).isTrue();
      page.unpin();
      assertThat(cache.allocator().getAllocatedMemory()).isZero();
      assertThat(file.pin(16)).isNull();
    }
  }

  @Test
  void aPageLargerThanTheCacheIsServedAndNotCached() {
    try (PageCache cache = new PageCache(allocator, 100);
        FilePages file = cache.register()) {
      Page page = read(file, 16);
      assertThat(holds(page, file, 16)).isTrue();
      page.unpin();
      assertThat(cache.allocator().getAllocatedMemory()).isZero();
    }
  }

  @Test
  void aPinnedPageStaysValidAfterEvictionAndTheCloseOfItsFile() {
    try (PageCache cache = new PageCache(allocator, 3 * PAGE_BYTES)) {
      FilePages file = cache.register();
      Page pinned = read(file, 16);
      for (int i = 0; i < 100; i++) {
        read(file, 1000 + i).unpin();
      }
      file.close();
      assertThat(holds(pinned, file, 16)).isTrue();
      pinned.unpin();
      assertThat(cache.allocator().getAllocatedMemory()).isZero();
    }
  }

  @Test
  void closingAFileDropsItsPagesAndNoOthers() {
    try (PageCache cache = new PageCache(allocator, 1 << 20);
        FilePages kept = cache.register()) {
      FilePages closed = cache.register();
      for (int i = 0; i < 10; i++) {
        read(kept, i).unpin();
        read(closed, i).unpin();
      }
      closed.close();
      assertThat(cache.statistics().pages()).isEqualTo(10);
      Page page = kept.pin(3);
      assertThat(page).isNotNull();
      page.unpin();
    }
  }

  @Test
  void cachedPagesStayWithinTheCapacity() {
    long capacity = 20 * (PAGE_BYTES + PageCache.HEAP_BYTES_PER_PAGE);
    try (PageCache cache = new PageCache(allocator, capacity);
        FilePages file = cache.register()) {
      for (int i = 0; i < 1000; i++) {
        read(file, i).unpin();
        assertThat(cache.allocator().getAllocatedMemory()).isLessThanOrEqualTo(capacity);
      }
      assertThat(cache.statistics().evictions()).isGreaterThanOrEqualTo(980);
    }
  }

  /** The reason for this policy: a least-recently-used cache would evict all of these pages. */
  @Test
  void aLargeScanDoesNotEvictFrequentlyReadPages() {
    long capacity = 100 * (PAGE_BYTES + PageCache.HEAP_BYTES_PER_PAGE);
    try (PageCache cache = new PageCache(allocator, capacity);
        FilePages file = cache.register()) {
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 50; i++) {
          read(file, i).unpin();
        }
      }
      for (int i = 1000; i < 6000; i++) {
        read(file, i).unpin();
      }
      int left = 0;
      for (int i = 0; i < 50; i++) {
        Page page = file.pin(i);
        if (page != null) {
          left++;
          page.unpin();
        }
      }
      assertThat(left).isGreaterThan(40);
    }
  }

  @Test
  void memoryIsReleasedAndReusedOnRequest() {
    long weight = PAGE_BYTES + PageCache.HEAP_BYTES_PER_PAGE;
    AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    try (PageCache cache = new PageCache(allocator, 100 * weight, room::get);
        FilePages file = cache.register()) {
      for (int i = 0; i < 100; i++) {
        read(file, i).unpin();
      }
      assertThat(cache.statistics().pages()).isEqualTo(100);
      cache.limitTo(10 * weight);
      assertThat(cache.allocatedBytes()).isLessThanOrEqualTo(10 * PAGE_BYTES);
      room.set(0);
      read(file, 200).unpin();
      assertThat(cache.allocatedBytes()).isZero();
      room.set(Long.MAX_VALUE);
      for (int i = 0; i < 100; i++) {
        read(file, i).unpin();
      }
      assertThat(cache.statistics().pages()).isEqualTo(100);
    }
  }

  @Test
  void manyReadersOfATinyCacheSeeTheRightBytesAndLeakNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (PageCache cache =
        new PageCache(allocator, 8 * (PAGE_BYTES + PageCache.HEAP_BYTES_PER_PAGE))) {
      List<FilePages> files = List.of(cache.register(), cache.register(), cache.register());
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Random random = new Random(t);
        all.add(threads.submit(() -> readAround(files, random)));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      files.forEach(FilePages::close);
      assertThat(cache.allocator().getAllocatedMemory()).isZero();
      assertThat(cache.statistics().pages()).isZero();
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void readAround(List<FilePages> files, Random random) {
    for (int i = 0; i < 20_000; i++) {
      FilePages file = files.get(random.nextInt(files.size()));
      long offset = random.nextInt(12);
      Page page = read(file, offset);
      FilePages otherFile = files.get(random.nextInt(files.size()));
      long otherOffset = random.nextInt(12);
      Page other = read(otherFile, otherOffset);
      try {
        assertThat(holds(page, file, offset) && holds(other, otherFile, otherOffset)).isTrue();
      } finally {
        page.unpin();
        other.unpin();
      }
    }
  }
}
