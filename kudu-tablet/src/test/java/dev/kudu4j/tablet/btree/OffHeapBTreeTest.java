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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** The tree against a sorted map, for many shapes of keys. */
class OffHeapBTreeTest {
  /** Ways to make the i-th of some keys; repeated keys are welcome. */
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
    try (BufferAllocator root = Allocators.root("test", 1 << 28)) {
      try (Arena arena = new Arena(root, 1 << 20)) {
        OffHeapBTree tree = new OffHeapBTree(arena);
        TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < count; i++) {
          byte[] key = shape.key(i, random);
          Long present = model.putIfAbsent(key, i + 1L);
          long found = put(tree, key, i + 1L);
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
  void keysInsideLargerArraysAndInsideTheirRecords() {
    try (BufferAllocator root = Allocators.root("test", 1 << 20);
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
  void emptyTreeHasNothingAndHoldsNothing() {
    try (BufferAllocator root = Allocators.root("test", 1 << 20);
        Arena arena = new Arena(root, 1 << 16)) {
      OffHeapBTree tree = new OffHeapBTree(arena);
      assertThat(tree.get(new byte[0], 0, 0)).isZero();
      assertThat(tree.cursor().next()).isFalse();
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void keysInOrderLeaveFullLeaves() {
    try (BufferAllocator root = Allocators.root("test", 1 << 24);
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

  /**
   * Readers beside the writer. What is inserted is known beforehand; a reader asks for the count
   * first, so every key below it must be found, by get and by cursor, and what a cursor gives
   * ascends.
   */
  @Property(tries = 6)
  void readersBesideTheWriterMissNothing(
      @ForAll boolean random, @ForAll boolean commonPrefix, @ForAll long seed) throws Exception {
    int keys = 30_000;
    List<byte[]> inOrder = distinctKeys(keys, random, commonPrefix, new Random(seed));
    try (BufferAllocator root = Allocators.root("test", 1 << 28);
        Arena arena = new Arena(root, 1 << 20)) {
      OffHeapBTree tree = new OffHeapBTree(arena);
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Random readerRandom = new Random(seed + i + 1);
        readers.add(startReader(tree, inOrder, readerRandom, failures));
      }
      for (int i = 0; i < keys; i++) {
        put(tree, inOrder.get(i), i + 1L);
      }
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(failures).as("seed %d", seed).isEmpty();
    }
  }

  private static Thread startReader(
      OffHeapBTree tree, List<byte[]> inOrder, Random random, List<Throwable> failures) {
    Thread reader =
        new Thread(
            () -> {
              int scans = 0;
              long known;
              do {
                known = tree.count();
                readBeside(tree, inOrder, (int) known, random, scans++ % 4 == 0);
              } while (known < inOrder.size());
            });
    reader.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
    reader.start();
    return reader;
  }

  private static void readBeside(
      OffHeapBTree tree, List<byte[]> inOrder, int known, Random random, boolean scan) {
    for (int i = 0; i < 200 && known > 0; i++) {
      int pick = random.nextInt(known);
      byte[] key = inOrder.get(pick);
      assertThat(tree.get(key, 0, key.length)).isEqualTo(pick + 1L);
    }
    if (scan) {
      byte[] from =
          known == 0 || random.nextBoolean() ? new byte[0] : inOrder.get(random.nextInt(known));
      OffHeapBTree.Cursor cursor = tree.cursor();
      cursor.seek(from, 0, from.length);
      assertScanBeside(cursor, inOrder, known, from);
    }
  }

  private static void assertScanBeside(
      OffHeapBTree.Cursor cursor, List<byte[]> inOrder, int known, byte[] from) {
    boolean[] seen = new boolean[inOrder.size()];
    byte[] previous = null;
    while (cursor.next()) {
      byte[] key = key(cursor);
      assertThat(previous == null || Arrays.compareUnsigned(previous, key) < 0).isTrue();
      assertThat(Arrays.compareUnsigned(from, key) <= 0).isTrue();
      int index = (int) cursor.value() - 1;
      assertThat(inOrder.get(index)).isEqualTo(key);
      seen[index] = true;
      previous = key;
    }
    for (int i = 0; i < known; i++) {
      assertThat(seen[i] || Arrays.compareUnsigned(inOrder.get(i), from) < 0).isTrue();
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

  private static byte[] key(OffHeapBTree.Cursor cursor) {
    byte[] key = new byte[cursor.keyLength()];
    Memory.copy(cursor.keyAddress(), key, 0, key.length);
    return key;
  }
}
