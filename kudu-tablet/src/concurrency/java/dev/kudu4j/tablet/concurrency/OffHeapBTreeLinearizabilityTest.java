package dev.kudu4j.tablet.concurrency;

import dev.kudu4j.tablet.btree.OffHeapBTree;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memory.Arena;
import java.nio.ByteBuffer;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.junit.jupiter.api.Test;

/** One writer, two readers; leaves are full at the start, so most inserts split. */
class OffHeapBTreeLinearizabilityTest {
  /** Fills several leaves, each up to its last place: an ascending load leaves them full. */
  private static final int FIRST_KEYS = 29 * 29;

  private static final int KEY_STEP = 4;

  @Test
  void answersAreThoseOfAMap() {
    Linearizability.check(Tree.class, Model.class);
  }

  /** Small keys lie between those that are there. */
  @Param(name = "key", gen = IntGen.class, conf = "0:40")
  public static final class Tree {
    private static final BufferAllocator ALLOCATOR = Allocators.root(Long.MAX_VALUE);
    private static final Disposal DISPOSAL = new Disposal();

    private final OffHeapBTree tree;

    public Tree() {
      Arena arena = new Arena(ALLOCATOR, 1 << 20);
      DISPOSAL.replace(arena);
      tree = new OffHeapBTree(arena);
      for (int i = 0; i < FIRST_KEYS; i++) {
        insert(i * KEY_STEP, i + 1);
      }
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public long insert(@Param(name = "key") int key, @Param(gen = IntGen.class, conf = "1:9") int v) {
      return tree.putIfAbsent(bytes(key), 0, Integer.BYTES, v);
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public long seekAndAdd(
        @Param(name = "key") int key, @Param(gen = IntGen.class, conf = "1:9") int v) {
      long present = tree.seek(bytes(key), 0, Integer.BYTES);
      if (present == 0) {
        tree.add(bytes(key), 0, Integer.BYTES, v);
      }
      return present;
    }

    @Operation
    public long get(@Param(name = "key") int key) {
      return tree.get(bytes(key), 0, Integer.BYTES);
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public long count() {
      return tree.count();
    }

    private static byte[] bytes(int key) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
    }
  }

  /** The sequential specification of the tree. */
  public static final class Model {
    private final TreeMap<Integer, Long> map = new TreeMap<>();

    public Model() {
      for (int i = 0; i < FIRST_KEYS; i++) {
        map.put(i * KEY_STEP, i + 1L);
      }
    }

    public long insert(int key, int value) {
      Long present = map.putIfAbsent(key, (long) value);
      return present == null ? 0 : present;
    }

    public long seekAndAdd(int key, int value) {
      return insert(key, value);
    }

    public long get(int key) {
      return map.getOrDefault(key, 0L);
    }

    public long count() {
      return map.size();
    }
  }
}
