package dev.kudu4j.tablet.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class DeltaMemStoreTest {
  private record Change(long timestamp, int sequence, long value) {}

  @Property(tries = 60)
  void anyChangesReadLikeTheMap(@ForAll @IntRange(max = 2000) int changes, @ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 28)) {
      try (DeltaMemStore store = new DeltaMemStore(root, 1 << 20)) {
        TreeMap<Long, List<Change>> model = new TreeMap<>();
        for (int i = 0; i < changes; i++) {
          long ordinal = random.nextInt(400) * 10L;
          Change change = new Change(1000 + i / 3, i % 3, random.nextLong());
          add(store, ordinal, change);
          model.computeIfAbsent(ordinal, o -> new ArrayList<>()).add(0, change);
        }
        assertThat(store.count()).isEqualTo(changes);
        assertThat(store.isEmpty()).isEqualTo(changes == 0);
        assertThat(store.minTimestamp()).isEqualTo(changes == 0 ? Long.MAX_VALUE : 1000);
        assertThat(store.maxTimestamp()).isEqualTo(changes == 0 ? 0 : 1000 + (changes - 1) / 3);
        assertThat(store.bytes()).isEqualTo(root.getAllocatedMemory());
        assertReads(store, model, -1);
        assertReads(store, model, random.nextInt(4100));
      }
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  private static void assertReads(
      DeltaMemStore store, NavigableMap<Long, List<Change>> model, int sought) {
    DeltaMemStore.Cursor cursor = store.cursor();
    if (sought >= 0) {
      cursor.seek(sought);
    }
    for (Map.Entry<Long, List<Change>> entry : model.tailMap((long) sought).entrySet()) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.ordinal()).isEqualTo(entry.getKey());
      assertThat(chain(cursor.newest())).isEqualTo(entry.getValue());
      assertThat(store.newest(entry.getKey())).isEqualTo(cursor.newest());
      assertThat(store.newest(entry.getKey() + 1)).isZero();
    }
    assertThat(cursor.next()).isFalse();
  }

  @Test
  void emptyStoreHoldsNothing() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        DeltaMemStore store = new DeltaMemStore(root, 1 << 20)) {
      assertThat(root.getAllocatedMemory()).isZero();
      assertThat(store.newest(0)).isZero();
      assertThat(store.cursor().next()).isFalse();
    }
  }

  /** The value of a change is its number within its row, so a chain must always count down. */
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  void readersBesideTheWriterSeeWholeChains(@ForAll long seed) throws Exception {
    int ordinals = 300;
    int changes = 40_000;
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (BufferAllocator root = Allocators.root(1 << 28);
        DeltaMemStore store = new DeltaMemStore(root, 1 << 20)) {
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(new Thread(() -> readUntil(store, changes)));
      }
      readers.forEach(r -> r.setUncaughtExceptionHandler((t, failure) -> failures.add(failure)));
      readers.forEach(Thread::start);
      Random random = new Random(seed);
      long[] numbers = new long[ordinals];
      for (int i = 0; i < changes; i++) {
        int ordinal = random.nextInt(ordinals);
        add(store, ordinal, new Change(i + 1, 0, ++numbers[ordinal]));
      }
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(failures).as("seed %d", seed).isEmpty();
      for (int ordinal = 0; ordinal < ordinals; ordinal++) {
        assertThat(chain(store.newest(ordinal))).hasSize((int) numbers[ordinal]);
      }
    }
  }

  private static void readUntil(DeltaMemStore store, int changes) {
    long known;
    do {
      known = store.count();
      long seen = 0;
      DeltaMemStore.Cursor cursor = store.cursor();
      while (cursor.next()) {
        List<Change> chain = chain(cursor.newest());
        for (int i = 0; i < chain.size(); i++) {
          assertThat(chain.get(i).value()).isEqualTo(chain.size() - i);
          assertThat(chain.get(i).timestamp()).isBetween(1L, store.maxTimestamp());
        }
        seen += chain.size();
      }
      assertThat(seen).isGreaterThanOrEqualTo(known);
    } while (known < changes);
  }

  private static void add(DeltaMemStore store, long ordinal, Change change) {
    ByteBuffer bytes = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).position(1);
    bytes.put(RowChange.UPDATE).putShort((short) 1).putInt(3).putInt(8).putLong(change.value());
    store.add(ordinal, change.timestamp(), change.sequence(), bytes.array(), 1, 19);
  }

  private static List<Change> chain(long newest) {
    List<Change> chain = new ArrayList<>();
    for (long at = newest; at != 0; at = Mutation.next(at)) {
      assertThat(Mutation.changeLength(at)).isEqualTo(19);
      long value = Memory.getLong(Mutation.changeAddress(at) + 11);
      chain.add(new Change(Mutation.timestamp(at), Mutation.sequence(at), value));
    }
    return chain;
  }
}
