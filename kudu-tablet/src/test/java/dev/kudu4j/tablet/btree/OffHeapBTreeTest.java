package dev.kudu4j.tablet.btree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memory.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** The tree against a sorted map, for many shapes of keys. */
class OffHeapBTreeTest {
  /** Functions from an index to a key; keys may repeat. */
  private enum KeyShape {
    ASCENDING {
      @Override
      byte[] key(int i, Random random) {
        return ByteBuffer.allocate(12).putInt(7).putLong(i).array();
      }
    },
    DESCENDING {
      @Override
      byte[] key(int i, Random random) {
        return ByteBuffer.allocate(8).putLong(-1L - i).array();
      }
    },
    RANDOM {
      @Override
      byte[] key(int i, Random random) {
        return randomBytes(random, 16);
      }
    },
    TINY {
      @Override
      byte[] key(int i, Random random) {
        return randomBytes(random, random.nextInt(3));
      }
    },
    COMMON_PREFIX {
      @Override
      byte[] key(int i, Random random) {
        byte[] key = new byte[40];
        Arrays.fill(key, (byte) 'c');
        return ByteBuffer.wrap(key).putInt(32, random.nextInt(5000)).array();
      }
    },
    SEVERAL_PREFIXES {
      @Override
      byte[] key(int i, Random random) {
        byte[] key = new byte[random.nextInt(60)];
        Arrays.fill(key, (byte) (random.nextInt(3) * 127));
        for (int at = random.nextInt(50); at < key.length; at++) {
          key[at] = (byte) random.nextInt(2);
        }
        return key;
      }
    },
    PREFIX_OF_ANOTHER {
      @Override
      byte[] key(int i, Random random) {
        byte[] key = new byte[random.nextInt(600)];
        Arrays.fill(key, random.nextInt(4) == 0 ? (byte) 0 : (byte) 'p');
        return key;
      }
    },
    LONG {
      @Override
      byte[] key(int i, Random random) {
        byte[] key = new byte[random.nextInt(16 << 10)];
        if (key.length > 0) {
          key[random.nextInt(key.length)] = (byte) random.nextInt();
        }
        return key;
      }
    },
    ASCENDING_THEN_OTHERS {
      @Override
      byte[] key(int i, Random random) {
        return i % 100 == 99
            ? randomBytes(random, 4)
            : ByteBuffer.allocate(30).putLong(20, i).array();
      }
    };

    abstract byte[] key(int i, Random random);

    static byte[] randomBytes(Random random, int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      return bytes;
    }
  }

  @Property(tries = 120)
  void anyInsertsReadLikeTheMap(
      @ForAll KeyShape shape, @ForAll @IntRange(max = 3000) int inserts, @ForAll long seed) {
    Random random = new Random(seed);
    int count = shape == KeyShape.LONG ? inserts / 20 : inserts;
    try (BufferAllocator root = Allocators.root(1 << 28)) {
      try (Arena arena = new Arena(root, 1 << 20)) {
        OffHeapBTree tree = new OffHeapBTree(arena);
        TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < count; i++) {
          byte[] key = shape.key(i, random);
          Long present = model.putIfAbsent(key, i + 1L);
          long found =
              random.nextBoolean() ? put(tree, key, i + 1L) : seekAndAdd(tree, key, i + 1L);
          assertThat(found).isEqualTo(present == null ? 0 : present);
        }
        assertReadsLike(tree, model);
        for (int i = 0; i < 30; i++) {
          assertSeeks(tree, model, shape.key(random.nextInt(), random));
        }
      }
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  private static void assertReadsLike(OffHeapBTree tree, NavigableMap<byte[], Long> model) {
    assertThat(tree.count()).isEqualTo(model.size());
    OffHeapBTree.Cursor cursor = tree.cursor();
    for (Map.Entry<byte[], Long> entry : model.entrySet()) {
      byte[] key = entry.getKey();
      assertThat(tree.get(key, 0, key.length)).isEqualTo(entry.getValue());
      assertThat(cursor.next()).isTrue();
      assertThat(key(cursor)).isEqualTo(key);
      assertThat(cursor.value()).isEqualTo(entry.getValue());
    }
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.next()).isFalse();
  }

  private static void assertSeeks(
      OffHeapBTree tree, NavigableMap<byte[], Long> model, byte[] sought) {
    assertThat(tree.get(sought, 0, sought.length)).isEqualTo(model.getOrDefault(sought, 0L));
    OffHeapBTree.Cursor cursor = tree.cursor();
    cursor.seek(sought, 0, sought.length);
    int steps = 0;
    for (Map.Entry<byte[], Long> entry : model.tailMap(sought, true).entrySet()) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value()).isEqualTo(entry.getValue());
      if (++steps == 70) {
        return;
      }
    }
    assertThat(cursor.next()).isFalse();
  }

  @Test
  void keysMayBePartsOfArraysAndOfRecords() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        Arena arena = new Arena(root, 1 << 16)) {
      OffHeapBTree tree = new OffHeapBTree(arena, 16);
      byte[] array = {9, 9, 1, 2, 3, 9};
      long record = arena.allocate(32);
      Memory.putInt(record + 16, 3);
      Memory.copy(array, 2, record + 20, 3);
      assertThat(tree.putIfAbsent(array, 2, 3, record)).isZero();
      assertThat(tree.putIfAbsent(new byte[] {1, 2, 3}, 0, 3, 42)).isEqualTo(record);
      assertThat(tree.get(array, 2, 3)).isEqualTo(record);
      assertThat(tree.get(array, 2, 4)).isZero();
      assertThat(tree.get(array, 2, 2)).isZero();
      OffHeapBTree.Cursor cursor = tree.cursor();
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.keyAddress()).isEqualTo(record + 20);
    }
  }

  @Test
  void emptyTreeHasNoKeysAndNoMemory() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        Arena arena = new Arena(root, 1 << 16)) {
      OffHeapBTree tree = new OffHeapBTree(arena);
      assertThat(tree.get(new byte[0], 0, 0)).isZero();
      assertThat(tree.cursor().next()).isFalse();
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void ascendingKeysFillTheLeaves() {
    try (BufferAllocator root = Allocators.root(1 << 24);
        Arena arena = new Arena(root, 1 << 16)) {
      OffHeapBTree tree = new OffHeapBTree(arena, 0);
      int keys = 20_000;
      for (int i = 0; i < keys; i++) {
        byte[] key = ByteBuffer.allocate(12).putInt(1).putLong(i).array();
        long record = arena.allocate(16);
        Memory.putInt(record, key.length);
        Memory.copy(key, 0, record + 4, key.length);
        tree.putIfAbsent(key, 0, key.length, record);
      }
      double nodeBytesPerKey = (arena.bytes() - 16.0 * keys) / keys;
      assertThat(nodeBytesPerKey).isLessThan(24);
    }
  }

  /** A cursor returns all keys that existed when it was created, in order, despite insertions. */
  @Property(tries = 80)
  void cursorMissesNothingWhileKeysAreInserted(
      @ForAll KeyShape shape, @ForAll @IntRange(max = 400) int before, @ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 28);
        Arena arena = new Arena(root, 1 << 20)) {
      OffHeapBTree tree = new OffHeapBTree(arena);
      NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < before; i++) {
        byte[] key = shape.key(i, random);
        model.put(key, 1L);
        put(tree, key, 1);
      }
      OffHeapBTree.Cursor cursor = tree.cursor();
      int inserts = before;
      byte[] previous = null;
      while (cursor.next()) {
        byte[] key = key(cursor);
        assertThat(previous == null || Arrays.compareUnsigned(previous, key) < 0).isTrue();
        model.remove(key);
        previous = key;
        for (int i = random.nextInt(4); i > 0 && inserts < 2000; i--) {
          put(tree, shape.key(inserts++, random), 2);
        }
      }
      assertThat(model).isEmpty();
    }
  }

  /**
   * Readers run concurrently with the writer. The order of the inserts is known. A reader first
   * gets the count, so it must find every key below the count, by get and by cursor, and cursors
   * must return ascending keys. The test uses many small trees, so that readers and the writer
   * often use the same node.
   */
  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void readersConcurrentWithTheWriterMissNothing(
      @ForAll boolean random, @ForAll boolean commonPrefix, @ForAll long seed) throws Exception {
    int rounds = 150;
    int keys = 1500;
    List<byte[]> inOrder = distinctKeys(keys, random, commonPrefix, new Random(seed));
    try (BufferAllocator root = Allocators.root(1 << 28);
        Arena arena = new Arena(root, 1 << 20)) {
      AtomicReference<OffHeapBTree> current = new AtomicReference<>(new OffHeapBTree(arena));
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(startReader(current, inOrder, new Random(seed + i + 1), failures));
      }
      for (int round = 0; round < rounds; round++) {
        OffHeapBTree tree = new OffHeapBTree(arena);
        current.set(tree);
        for (int i = 0; i < keys; i++) {
          put(tree, inOrder.get(i), i + 1L);
        }
      }
      current.set(null);
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(failures).as("seed %d", seed).isEmpty();
    }
  }

  private static Thread startReader(
      AtomicReference<OffHeapBTree> current,
      List<byte[]> inOrder,
      Random random,
      List<Throwable> failures) {
    Thread reader =
        new Thread(
            () -> {
              int reads = 0;
              for (OffHeapBTree tree = current.get(); tree != null; tree = current.get()) {
                readBeside(tree, inOrder, (int) tree.count(), random, reads++ % 8 == 0);
              }
            });
    reader.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
    reader.start();
    return reader;
  }

  /**
   * Reads mostly near the newest keys, where the writer inserts. Uses plain checks instead of
   * assertions, because they are faster.
   */
  private static void readBeside(
      OffHeapBTree tree, List<byte[]> inOrder, int known, Random random, boolean scanAll) {
    if (known == 0) {
      return;
    }
    for (int i = 0; i < 40; i++) {
      int pick =
          i % 4 == 0 ? random.nextInt(known) : known - 1 - random.nextInt(Math.min(known, 9));
      byte[] key = inOrder.get(pick);
      check(tree.get(key, 0, key.length) == pick + 1L, "get missed a key");
    }
    OffHeapBTree.Cursor cursor = tree.cursor();
    byte[] newest = inOrder.get(known - 1);
    for (int i = 0; i < 4; i++) {
      cursor.seek(newest, 0, newest.length);
      check(cursor.next() && cursor.value() == known, "seek missed a key");
      assertAscends(cursor, 60);
    }
    if (scanAll) {
      byte[] from = random.nextBoolean() ? new byte[0] : inOrder.get(random.nextInt(known));
      cursor.seek(from, 0, from.length);
      assertScanBeside(cursor, inOrder, known, from);
    }
  }

  private static void assertAscends(OffHeapBTree.Cursor cursor, int steps) {
    byte[] previous = key(cursor);
    for (int i = 0; i < steps && cursor.next(); i++) {
      byte[] key = key(cursor);
      check(Arrays.compareUnsigned(previous, key) < 0, "cursor does not ascend");
      previous = key;
    }
  }

  private static void assertScanBeside(
      OffHeapBTree.Cursor cursor, List<byte[]> inOrder, int known, byte[] from) {
    boolean[] seen = new boolean[inOrder.size()];
    byte[] previous = null;
    while (cursor.next()) {
      byte[] key = key(cursor);
      check(previous == null || Arrays.compareUnsigned(previous, key) < 0, "does not ascend");
      check(Arrays.compareUnsigned(from, key) <= 0, "below the key that was sought");
      int index = (int) cursor.value() - 1;
      check(Arrays.equals(inOrder.get(index), key), "another key's value");
      seen[index] = true;
      previous = key;
    }
    for (int i = 0; i < known; i++) {
      check(seen[i] || Arrays.compareUnsigned(inOrder.get(i), from) < 0, "scan missed a key");
    }
  }

  private static void check(boolean holds, String failure) {
    if (!holds) {
      throw new AssertionError(failure);
    }
  }

  private static List<byte[]> distinctKeys(
      int count, boolean shuffled, boolean commonPrefix, Random random) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuffer key = ByteBuffer.allocate(commonPrefix ? 30 : 8);
      keys.add(key.putLong(key.capacity() - 8, i * 977L).array());
    }
    if (shuffled) {
      Collections.shuffle(keys, random);
    }
    return keys;
  }

  private static long put(OffHeapBTree tree, byte[] key, long value) {
    return tree.putIfAbsent(key, 0, key.length, value);
  }

  private static long seekAndAdd(OffHeapBTree tree, byte[] key, long value) {
    long present = tree.seek(key, 0, key.length);
    if (present == 0) {
      tree.add(key, 0, key.length, value);
    }
    return present;
  }

  private static byte[] key(OffHeapBTree.Cursor cursor) {
    byte[] key = new byte[cursor.keyLength()];
    Memory.copy(cursor.keyAddress(), key, 0, key.length);
    return key;
  }
}
