package dev.kudu4j.tablet.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class RefCountedTest {
  private static final Schema SCHEMA =
      new Schema(List.of(ColumnSchema.builder("k", DataType.INT8).id(0).key(true).build()));

  @Test
  void theLastReleaseClosesThePart() {
    int[] closed = new int[1];
    RefCounted<AutoCloseable> part = new RefCounted<>(() -> closed[0]++);
    part.retain();
    part.release();
    assertThat(closed[0]).isZero();
    part.release();
    assertThat(closed[0]).isEqualTo(1);
    assertThatThrownBy(part::retain).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPinnedVersionStaysValidAfterItsSuccessorAndTheTabletClose() {
    try (BufferAllocator allocator = Allocators.root(1 << 20)) {
      RefCounted<MemRowSet> first = new RefCounted<>(new MemRowSet(allocator, 4096, SCHEMA));
      RowSetTree none = new RowSetTree(List.of());
      CurrentComponents current = new CurrentComponents(new Components(SCHEMA, first, null, none));
      first.release();
      Components pinned = current.pin();
      RefCounted<MemRowSet> second = new RefCounted<>(new MemRowSet(allocator, 4096, SCHEMA));
      current.swap(new Components(SCHEMA, second, null, none));
      second.release();
      assertThat(current.get().activeMemRowSet()).isSameAs(second.get());
      current.close();
      current.close();
      assertThatThrownBy(current::pin).isInstanceOf(KuduException.class);
      assertThat(pinned.activeMemRowSet().rowCount()).isZero();
      pinned.unpin();
      assertThatThrownBy(pinned::unpin).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void livenessCountsEachDeletionOnce() {
    Liveness liveness = new Liveness(1000);
    for (int round = 0; round < 2; round++) {
      liveness.delete(0);
      liveness.delete(999);
      liveness.delete(64);
    }
    assertThat(liveness.liveCount()).isEqualTo(997);
    assertThat(liveness.isDeleted(999)).isTrue();
    assertThat(liveness.isDeleted(998)).isFalse();
    liveness.reinsert(999);
    liveness.reinsert(1);
    assertThat(liveness.liveCount()).isEqualTo(998);
  }
}
