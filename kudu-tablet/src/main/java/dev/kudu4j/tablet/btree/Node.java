package dev.kudu4j.tablet.btree;

import dev.kudu4j.common.key.KeyPrefix;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;

/**
 * Static methods that access a node in raw memory by its address.
 *
 * <pre>
 *   version i64 | count i32 | level i32 (0 leaf)
 *   common i32 | unused i32 | sample i64 | next leaf i64
 *   prefixes  29 x i64                  ascending ({@link KeyPrefix})
 *   keys      29 x i64                  addresses ({@link Keys})
 *   children  30 x i64                  of inner nodes: child i has keys below key i, and not below
 *                                       key i - 1
 * </pre>
 *
 * <p>All keys of a node share the first {@code common} bytes; the {@code sample} key contains them.
 * Prefixes start after the common part, so even keys with a long common part rarely have equal
 * prefixes. A bisection over the whole keys resolves ties. The common part grows only when a node
 * is split, and shrinks when a key arrives that does not share it.
 *
 * <p><b>Readers</b> hold no lock. The version is odd while the writer changes the node. A reader
 * notes an even version, reads, and discards the result unless the version is unchanged. The reader
 * follows no address before this check. A key appended after the last key does not change the
 * version: the key is written before the count is increased.
 */
final class Node {
  static final int CAPACITY = 29;

  /** The result of {@link #search} if the node changed concurrently. */
  static final int CHANGED = Integer.MIN_VALUE;

  private static final int COUNT = 8;
  private static final int LEVEL = 12;
  private static final int COMMON = 16;
  private static final int SAMPLE = 24;
  private static final int NEXT = 32;
  private static final int PREFIXES = 40;
  private static final int KEYS = PREFIXES + 8 * CAPACITY;
  private static final int CHILDREN = KEYS + 8 * CAPACITY;

  private static final int LEAF_BYTES = CHILDREN;
  private static final int INNER_BYTES = CHILDREN + 8 * (CAPACITY + 1);

  /**
   * The common part is extended only if otherwise fewer than this many bytes of a prefix would
   * distinguish keys.
   */
  private static final int MIN_DISTINGUISHING_BYTES = 4;

  /**
   * The number of bytes that all keys share but that are left out of the common part; the prefixes
   * contain them. A new key that differs only in these bytes then does not shrink the common part.
   */
  private static final int SLACK_BYTES = 2;

  private Node() {}

  static long allocate(Arena arena, int level) {
    long node = arena.allocate(level == 0 ? LEAF_BYTES : INNER_BYTES);
    Memory.fill(node, PREFIXES, (byte) 0);
    Memory.putInt(node + LEVEL, level);
    return node;
  }

  /** The current version; odd while the writer changes the node. */
  static long version(long node) {
    return Memory.getLongVolatile(node);
  }

  static boolean isBeingChanged(long version) {
    return (version & 1) != 0;
  }

  /** Whether all values read since {@code version} was observed are consistent. */
  static boolean isUnchanged(long node, long version) {
    Memory.loadFence();
    return Memory.getLongVolatile(node) == version;
  }

  static int count(long node) {
    return Memory.getIntVolatile(node + COUNT);
  }

  static int level(long node) {
    return Memory.getInt(node + LEVEL);
  }

  static boolean isLeaf(long node) {
    return level(node) == 0;
  }

  static long nextLeaf(long leaf) {
    return Memory.getLong(leaf + NEXT);
  }

  static long key(long node, int index) {
    return Memory.getLong(node + KEYS + 8L * index);
  }

  static void copyKeys(long node, int count, long[] to) {
    Memory.copy(node + KEYS, to, 0, count);
  }

  static long child(long node, int index) {
    return Memory.getLong(node + CHILDREN + 8L * index);
  }

  static void setChild(long node, int index, long child) {
    Memory.putLong(node + CHILDREN + 8L * index, child);
  }

  /** The child for a key, given the result of {@link #search}. */
  static int childIndex(int found) {
    return found >= 0 ? found + 1 : ~found;
  }

  /**
   * The index of the key, or the complement of its insertion index, or CHANGED. Any thread. The
   * result is valid only if the node still has the version afterwards.
   */
  static int search(long node, long version, byte[] array, int offset, int length) {
    int count = count(node);
    int common = Memory.getInt(node + COMMON);
    if (common > 0) {
      long sample = Memory.getLong(node + SAMPLE);
      if (!isUnchanged(node, version)) {
        return CHANGED;
      }
      int order =
          Memory.compare(Keys.bytes(sample), common, array, offset, Math.min(length, common));
      if (order != 0) {
        return order > 0 ? ~0 : ~count;
      }
    }
    long prefix = KeyPrefix.of(array, offset + common, length - common);
    int start = firstNotBelow(node, count, prefix);
    int end = start;
    while (end < count && Memory.getLong(node + PREFIXES + 8L * end) == prefix) {
      end++;
    }
    return start == end ? ~start : bisect(node, version, start, end, array, offset, length, common);
  }

  private static int firstNotBelow(long node, int count, long prefix) {
    long at = node + PREFIXES;
    int i = 0;
    while (i < count && Memory.getLong(at + 8L * i) < prefix) {
      i++;
    }
    return i;
  }

  private static int bisect(
      long node,
      long version,
      int start,
      int end,
      byte[] array,
      int offset,
      int length,
      int common) {
    int low = start;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long key = key(node, middle);
      if (!isUnchanged(node, version)) {
        return CHANGED;
      }
      int order = Keys.compare(key, array, offset, length, common);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  /** Adds a key to a leaf that is not full. Writer only. */
  static void insert(long leaf, int index, long key) {
    int common = Memory.getInt(leaf + COMMON);
    if (index == count(leaf) && sharedCommon(leaf, key) == common) {
      putEntry(leaf, index, key, common);
      Memory.putIntRelease(leaf + COUNT, index + 1);
      return;
    }
    beginChange(leaf);
    insertEntry(leaf, index, key);
    endChange(leaf);
  }

  /**
   * Moves the entries of a full child from {@code at} on to a new right sibling. The parent has
   * space for one more entry. Writer only.
   *
   * <p>Both nodes are marked as changing during the whole split, so no reader descends from the
   * parent to a child that no longer has keys that the parent still assigns to it.
   */
  static void split(Arena arena, long parent, int slot, long child, int at) {
    long right = allocate(arena, level(child));
    beginChange(parent);
    beginChange(child);
    long separator = key(child, at);
    if (isLeaf(child)) {
      moveEntries(child, at, right);
      Memory.putLong(right + NEXT, nextLeaf(child));
      Memory.putLong(child + NEXT, right);
    } else {
      int children = CAPACITY - at;
      Memory.copy(child + CHILDREN + 8L * (at + 1), right + CHILDREN, 8L * children);
      moveEntries(child, at + 1, right);
    }
    Memory.putInt(child + COUNT, at);
    tightenCommon(child);
    chooseCommon(right, child);
    insertChild(parent, slot, separator, right);
    endChange(child);
    endChange(parent);
  }

  private static void moveEntries(long from, int at, long to) {
    int moved = CAPACITY - at;
    Memory.copy(from + PREFIXES + 8L * at, to + PREFIXES, 8L * moved);
    Memory.copy(from + KEYS + 8L * at, to + KEYS, 8L * moved);
    Memory.putInt(to + COUNT, moved);
    Memory.putInt(to + COMMON, Memory.getInt(from + COMMON));
    Memory.putLong(to + SAMPLE, Memory.getLong(from + SAMPLE));
  }

  private static void insertChild(long parent, int slot, long separator, long right) {
    long at = parent + CHILDREN + 8L * (slot + 1);
    Memory.copy(at, at + 8, 8L * (count(parent) - slot));
    Memory.putLong(at, right);
    insertEntry(parent, slot, separator);
  }

  private static void beginChange(long node) {
    Memory.putLong(node, Memory.getLong(node) + 1);
    Memory.storeFence();
  }

  private static void endChange(long node) {
    Memory.putLongRelease(node, Memory.getLong(node) + 1);
  }

  private static void insertEntry(long node, int index, long key) {
    int shared = sharedCommon(node, key);
    if (shared < Memory.getInt(node + COMMON)) {
      setCommon(node, shared, Memory.getLong(node + SAMPLE));
    }
    int count = count(node);
    long prefixAt = node + PREFIXES + 8L * index;
    long keyAt = node + KEYS + 8L * index;
    Memory.copy(prefixAt, prefixAt + 8, 8L * (count - index));
    Memory.copy(keyAt, keyAt + 8, 8L * (count - index));
    putEntry(node, index, key, shared);
    Memory.putInt(node + COUNT, count + 1);
  }

  private static void putEntry(long node, int index, long key, int common) {
    Memory.putLong(node + PREFIXES + 8L * index, prefix(key, common));
    Memory.putLong(node + KEYS + 8L * index, key);
  }

  private static long prefix(long key, int common) {
    return KeyPrefix.of(Keys.bytes(key) + common, Keys.length(key) - common);
  }

  /** The number of leading bytes of the node's common part that the key shares. */
  private static int sharedCommon(long node, long key) {
    int common = Memory.getInt(node + COMMON);
    return common == 0 ? 0 : Keys.commonLength(Memory.getLong(node + SAMPLE), key, common);
  }

  private static void setCommon(long node, int common, long sample) {
    int count = count(node);
    Memory.putInt(node + COMMON, common);
    Memory.putLong(node + SAMPLE, sample);
    for (int i = 0; i < count; i++) {
      Memory.putLong(node + PREFIXES + 8L * i, prefix(key(node, i), common));
    }
  }

  /**
   * Extends the common part if too few bytes of the prefixes distinguish keys. Keys ascend, so the
   * first and the last key determine the common part.
   */
  private static void tightenCommon(long node) {
    int count = count(node);
    if (count < 2) {
      return;
    }
    long first = key(node, 0);
    int shared = Keys.commonLength(first, key(node, count - 1), Integer.MAX_VALUE);
    if (shared > Memory.getInt(node + COMMON) + Long.BYTES - MIN_DISTINGUISHING_BYTES) {
      setCommon(node, shared - SLACK_BYTES, first);
    }
  }

  /**
   * Sets the common part of a new node. In a node with a single key, all bytes of the key would be
   * common; such a node instead uses the bytes that its key shares with the common part of its left
   * sibling.
   */
  private static void chooseCommon(long node, long left) {
    if (count(node) == 1) {
      long sample = key(node, 0);
      setCommon(node, sharedCommon(left, sample), sample);
    } else {
      tightenCommon(node);
    }
  }
}
