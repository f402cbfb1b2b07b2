package dev.kudu4j.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.web.Rendered;
import dev.kudu4j.tablet.cache.FilePages;
import dev.kudu4j.tablet.cache.PageCache;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

class ServerMemoryTest {
  private static final int PAGE_BYTES = 64 << 10;

  private final MemoryBudget budget = MemoryBudget.of(200L << 20, 80L << 20);

  private static void fill(PageCache cache, FilePages file) {
    for (long offset = 0; offset < 2 * cache.capacityBytes(); offset += PAGE_BYTES) {
      ArrowBuf memory = file.allocator().buffer(PAGE_BYTES);
      file.add(offset, memory, memory.memoryAddress(), PAGE_BYTES, 1).unpin();
    }
  }

  @Test
  void thePageCacheShrinksForRows() {
    try (ServerMemory memory = new ServerMemory(budget);
        BufferAllocator rows = memory.data().newChildAllocator("rows", 0, Long.MAX_VALUE);
        FilePages file = memory.pages().register()) {
      fill(memory.pages(), file);
      assertThat(memory.pages().allocatedBytes()).isGreaterThan(budget.pagesBytes() * 9 / 10);
      List<ArrowBuf> held = new ArrayList<>();
      while (rows.getAllocatedMemory() < budget.dataBytes() * 97 / 100) {
        held.add(rows.buffer(1 << 20));
      }
      assertThat(memory.pages().allocatedBytes()).isLessThan(budget.dataBytes() * 3 / 100);
      assertThatThrownBy(() -> rows.buffer(budget.dataBytes() / 10))
          .isInstanceOf(OutOfMemoryException.class);
      held.forEach(ArrowBuf::close);
      fill(memory.pages(), file);
      assertThat(memory.pages().allocatedBytes()).isGreaterThan(budget.pagesBytes() * 9 / 10);
    }
  }

  @Test
  void rowsCauseAMemoryShortageButAFullPageCacheDoesNot() {
    try (ServerMemory memory = new ServerMemory(budget);
        BufferAllocator rows = memory.data().newChildAllocator("rows", 0, Long.MAX_VALUE);
        FilePages file = memory.pages().register()) {
      fill(memory.pages(), file);
      assertThat(memory.data().getAllocatedMemory()).isGreaterThan(budget.dataBytes() * 2 / 5);
      assertThat(memory.isDataShort()).isFalse();
      try (ArrowBuf held = rows.buffer(budget.rowsBytes() * 6 / 10)) {
        assertThat(held.capacity()).isPositive();
        assertThat(memory.isDataShort()).isFalse();
      }
      try (ArrowBuf held = rows.buffer(budget.rowsBytes() * 3 / 4)) {
        assertThat(held.capacity()).isPositive();
        assertThat(memory.isDataShort()).isTrue();
      }
    }
  }

  @Test
  void newScansAreRejectedBeforeTheirMemoryIsFull() {
    try (ServerMemory memory = new ServerMemory(budget)) {
      ScanMemoryGate room = memory.scanGate();
      ScanMemoryGate.Lease first = room.enter(Long.MAX_VALUE);
      ScanMemoryGate.Lease second = room.enter(room.maxBatchBytes());
      assertIsFull(room);
      second.close();
      ArrowBuf held = memory.scans().buffer(budget.scansBytes() * 6 / 10);
      assertIsFull(room);
      held.close();
      first.close();
      room.enter(room.maxBatchBytes()).close();
    }
  }

  private static void assertIsFull(ScanMemoryGate room) {
    assertThatThrownBy(() -> room.enter(64 << 10))
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
  }

  @Test
  void scansCannotExceedTheirShare() {
    try (ServerMemory memory = new ServerMemory(budget);
        ArrowBuf held = memory.scans().buffer(budget.scansBytes() / 2)) {
      assertThat(held.capacity()).isPositive();
      assertThatThrownBy(() -> memory.scans().buffer(budget.scansBytes()))
          .isInstanceOf(OutOfMemoryException.class);
    }
  }

  @Test
  void trackersAreATree() {
    try (ServerMemory memory = new ServerMemory(budget);
        BufferAllocator tablets = memory.data().newChildAllocator("tablets", 0, Long.MAX_VALUE);
        BufferAllocator one = tablets.newChildAllocator("tablet-1", 0, Long.MAX_VALUE);
        BufferAllocator first = one.newChildAllocator("MemRowSets", 0, Long.MAX_VALUE);
        BufferAllocator second = one.newChildAllocator("MemRowSets", 0, Long.MAX_VALUE);
        ArrowBuf rows = first.buffer(1024);
        ArrowBuf more = second.buffer(2048)) {
      assertThat(rows.capacity() + more.capacity()).isEqualTo(3072);
      List<MemoryTracker> all = memory.trackers();
      assertThat(all.get(0).name()).isEqualTo(ServerMemory.ROOT);
      assertThat(all)
          .extracting(MemoryTracker::name, MemoryTracker::parent, MemoryTracker::usedBytes)
          .contains(tuple("data/tablets/tablet-1/MemRowSets", "data/tablets/tablet-1", 3072L));
      for (MemoryTracker tracker : all.subList(1, all.size())) {
        assertThat(all).extracting(MemoryTracker::name).contains(tracker.parent());
      }
      assertThat(Rendered.html(MemTrackersPage.view(all)))
          .contains("tablet-1", "MemRowSets", "page cache");
    }
  }

  @Test
  void theTotalCoversTheWholeProcessOnlyForASingleServer() {
    try (ServerMemory alone = new ServerMemory(budget);
        ServerMemory shared = new ServerMemory(budget, false)) {
      assertThat(alone.total().limitBytes()).isEqualTo(budget.limitBytes());
      assertThat(alone.total().usedBytes()).isPositive(); // the heap of this process
      assertThat(shared.total().limitBytes()).isEqualTo(budget.dataBytes());
      assertThat(shared.total().usedBytes()).isZero();
      assertThat(shared.trackers().get(0).limitBytes()).isNegative(); // the process has no limit
    }
  }

  @Test
  void evenASmallServerHasMemoryBesidesRows() {
    for (long limit = 64; limit < 100_000; limit *= 2) {
      MemoryBudget small = MemoryBudget.of(limit << 20, MemoryBudget.heapFor(limit << 20));
      assertThat(small.rowsSoftBytes()).isPositive().isLessThan(small.rowsBytes());
      assertThat(small.dataBytes() - small.rowsBytes())
          .isGreaterThanOrEqualTo(Math.min(small.dataBytes() / 2, 24L << 20));
      assertThat(small.rowsBytes() + small.scansBytes()).isLessThan(small.dataBytes());
    }
  }
}
