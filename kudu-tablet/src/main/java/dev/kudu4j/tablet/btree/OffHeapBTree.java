package dev.kudu4j.tablet.btree;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A B+tree from byte keys (unsigned order, a prefix first) to non-zero 8-byte values, off heap,
 * with linked leaves.
 *
 * <p>One writer; any number of readers, which take no lock and validate node versions. Nothing is
 * ever removed, and a key's value never changes.
 *
 * <p>A reader on its way down notes a child's version and then makes sure that the parent is still
 * what it was: so the child was the right one at that moment, and if it has been split since, its
 * own version tells. The writer splits full nodes on its way down, so that no change touches more
 * than a parent and a child.
 */
public final class OffHeapBTree {
  private static final byte[] LOWEST = {};

  /** An answer of {@link #tryFind}; keys are never at an odd address. */
  private static final long RETRY = 1;

  private static final int NO_KEY_IN_VALUE = -1;

  /** What a search in a leaf says of a key that is before all of it. */
  private static final int BEFORE_ALL = ~0;

  private static final int SPINS_BEFORE_YIELD = 64;

  private final Arena arena;
  private final int keyOffset;
  private final AtomicLong count = new AtomicLong();
  private volatile long root;

  /** The leaf without a right neighbour, and whether the newest key went there. Writer only. */
  private long lastLeaf;

  private boolean ascending;

  /**
   * Where the key sought last is or belongs, until the tree changes; 0 for nowhere. Writer only.
   */
  private long soughtLeaf;

  private int soughtIndex;

  /**
   * A tree that keeps its own copies of keys.
   *
   * @param arena shared; holds nodes and keys, nothing before the first key
   */
  public OffHeapBTree(Arena arena) {
    this.arena = arena;
    this.keyOffset = NO_KEY_IN_VALUE;
  }

  /**
   * A tree whose values are addresses of records that hold their own keys: the length (i32) at
   * {@code keyOffset}, the bytes behind. Records are even addresses, live as long as the arena and
   * keep their keys unchanged.
   *
   * @param arena shared; holds the nodes
   */
  public OffHeapBTree(Arena arena, int keyOffset) {
    assert keyOffset >= 0 && (keyOffset & 1) == 0;
    this.arena = arena;
    this.keyOffset = keyOffset;
  }

  /** The value of the key, or 0. Any thread. */
  public long get(byte[] key, int offset, int length) {
    long found = find(key, offset, length, null);
    return found == 0 ? 0 : value(found);
  }

  private long value(long key) {
    return keyOffset == NO_KEY_IN_VALUE ? Memory.getLong(key - Long.BYTES) : key - keyOffset;
  }

  /** Tries until no change came between. With a cursor: fills it instead of answering. */
  private long find(byte[] key, int offset, int length, Cursor cursor) {
    for (int tries = 1; ; tries++) {
      long found = tryFind(key, offset, length, cursor);
      if (found != RETRY) {
        return found;
      }
      pause(tries);
    }
  }

  /** Yields in time, since the writer may have lost its core in the middle of a change. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int tries) {
    if (tries % SPINS_BEFORE_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  private long tryFind(byte[] key, int offset, int length, Cursor cursor) {
    long node = root;
    if (node == 0) {
      return 0;
    }
    long version = Node.version(node);
    if (Node.isBeingChanged(version) || root != node) {
      return RETRY;
    }
    while (!Node.isLeaf(node)) {
      int found = Node.search(node, version, key, offset, length);
      if (found == Node.CHANGED) {
        return RETRY;
      }
      long child = Node.child(node, Node.childIndex(found));
      if (!Node.isStill(node, version)) {
        return RETRY;
      }
      long childVersion = Node.version(child);
      if (Node.isBeingChanged(childVersion) || !Node.isStill(node, version)) {
        return RETRY;
      }
      node = child;
      version = childVersion;
    }
    return tryLeaf(node, version, key, offset, length, cursor);
  }

  private static long tryLeaf(
      long leaf, long version, byte[] key, int offset, int length, Cursor cursor) {
    int found = Node.search(leaf, version, key, offset, length);
    if (found == Node.CHANGED) {
      return RETRY;
    }
    if (cursor != null) {
      return cursor.tryCopy(leaf, version, found >= 0 ? found : ~found) ? 0 : RETRY;
    }
    long answer = found >= 0 ? Node.key(leaf, found) : 0;
    return Node.isStill(leaf, version) ? answer : RETRY;
  }

  /**
   * The value of the key, or 0, like {@link #get}; but for the writer, and {@link #add} of the same
   * key then needs no way down of its own.
   */
  public long seek(byte[] key, int offset, int length) {
    if (root == 0) {
      return 0;
    }
    long leaf = lastLeaf;
    int found = ascending ? searchAsWriter(leaf, key, offset, length) : BEFORE_ALL;
    if (found == BEFORE_ALL) {
      leaf = leafOf(key, offset, length);
      found = searchAsWriter(leaf, key, offset, length);
    }
    soughtLeaf = leaf;
    soughtIndex = found;
    return found >= 0 ? value(Node.key(leaf, found)) : 0;
  }

  private long leafOf(byte[] key, int offset, int length) {
    long node = root;
    while (!Node.isLeaf(node)) {
      node = Node.child(node, Node.childIndex(searchAsWriter(node, key, offset, length)));
    }
    return node;
  }

  /**
   * Adds the key that {@link #seek} did not find just now, or any key that is not there while none
   * has been sought. Writer only.
   *
   * @throws IllegalStateException when the key is there and was not sought
   */
  public void add(byte[] key, int offset, int length, long value) {
    if (soughtLeaf == 0 || Node.count(soughtLeaf) == Node.CAPACITY) {
      if (putIfAbsent(key, offset, length, value) != 0) {
        throw new IllegalStateException("The key is there already: add after seek only");
      }
      return;
    }
    assert soughtIndex < 0 && searchAsWriter(soughtLeaf, key, offset, length) == soughtIndex;
    insert(soughtLeaf, ~soughtIndex, storedKey(key, offset, length, value));
  }

  /** Adds the key unless it is there; returns 0, or the value that it already has. Writer only. */
  public long putIfAbsent(byte[] key, int offset, int length, long value) {
    assert value != 0;
    long leaf = leafFor(key, offset, length);
    int found = searchAsWriter(leaf, key, offset, length);
    if (found >= 0) {
      return value(Node.key(leaf, found));
    }
    insert(leaf, ~found, storedKey(key, offset, length, value));
    return 0;
  }

  private void insert(long leaf, int index, long stored) {
    Node.insert(leaf, index, stored);
    soughtLeaf = 0;
    ascending = leaf == lastLeaf;
    count.lazySet(count.getPlain() + 1);
  }

  private long storedKey(byte[] key, int offset, int length, long value) {
    if (keyOffset != NO_KEY_IN_VALUE) {
      long stored = value + keyOffset;
      assert Keys.length(stored) == length && Keys.compare(stored, key, offset, length, 0) == 0;
      return stored;
    }
    long record = arena.allocate(Long.BYTES + Keys.HEADER_BYTES + length);
    long stored = record + Long.BYTES;
    Memory.putLong(record, value);
    Keys.write(stored, key, offset, length);
    return stored;
  }

  private static int searchAsWriter(long node, byte[] key, int offset, int length) {
    return Node.search(node, Node.version(node), key, offset, length);
  }

  /** The leaf where the key belongs, with room for it. */
  private long leafFor(byte[] key, int offset, int length) {
    if (root == 0) {
      lastLeaf = Node.allocate(arena, 0);
      root = lastLeaf;
    }
    return ascending && belongsInLastLeaf(key, offset, length)
        ? lastLeaf
        : descend(key, offset, length);
  }

  /** Keys that come in order need no way down: one behind some key of the last leaf is its. */
  private boolean belongsInLastLeaf(byte[] key, int offset, int length) {
    return Node.count(lastLeaf) < Node.CAPACITY
        && searchAsWriter(lastLeaf, key, offset, length) != BEFORE_ALL;
  }

  private long descend(byte[] key, int offset, int length) {
    if (Node.count(root) == Node.CAPACITY) {
      growRoot();
    }
    long node = root;
    boolean atRightEdge = true;
    while (!Node.isLeaf(node)) {
      int slot = Node.childIndex(searchAsWriter(node, key, offset, length));
      atRightEdge &= slot == Node.count(node);
      long child = Node.child(node, slot);
      if (Node.count(child) == Node.CAPACITY) {
        split(node, slot, child, splitPoint(child, atRightEdge, key, offset, length));
        if (Keys.compare(Node.key(node, slot), key, offset, length, 0) <= 0) {
          child = Node.child(node, slot + 1);
        } else {
          atRightEdge = false;
        }
      }
      node = child;
    }
    return node;
  }

  /** A root above the old one says the same as the old one: readers may have either. */
  private void growRoot() {
    long taller = Node.allocate(arena, Node.level(root) + 1);
    Node.setChild(taller, 0, root);
    root = taller;
  }

  private void split(long parent, int slot, long child, int at) {
    Node.split(arena, parent, slot, child, at);
    if (child == lastLeaf) {
      lastLeaf = Node.child(parent, slot + 1);
    }
  }

  /** The middle; for keys that come in order as far right as can be, so that nodes stay full. */
  private static int splitPoint(
      long child, boolean atRightEdge, byte[] key, int offset, int length) {
    boolean behindAll = atRightEdge && searchAsWriter(child, key, offset, length) == ~Node.CAPACITY;
    return behindAll ? Node.CAPACITY - 1 : Node.CAPACITY / 2;
  }

  /** Keys held. Any thread; one that others see already may not be counted yet. */
  public long count() {
    return count.get();
  }

  /**
   * A cursor before the first key. Sees every key that was there when it was made or sought,
   * perhaps later ones.
   */
  public Cursor cursor() {
    Cursor cursor = new Cursor();
    cursor.seek(LOWEST, 0, 0);
    return cursor;
  }

  /**
   * Walks keys in ascending order. Not thread-safe; concurrent with the writer.
   *
   * <p>Takes the keys of a leaf together with its right neighbour. A split only ever moves keys
   * into a new leaf between the two, and the cursor already has those: it misses none, and meets
   * none twice.
   */
  public final class Cursor {
    private final long[] keys = new long[Node.CAPACITY];
    private int keyCount;
    private int index;
    private long nextLeaf;

    private Cursor() {}

    /** Moves before the first key that is not below the given one. */
    public void seek(byte[] key, int offset, int length) {
      keyCount = 0;
      index = -1;
      nextLeaf = 0;
      find(key, offset, length, this);
    }

    /** Takes a leaf, before the key at {@code at}; false if the writer came between. */
    private boolean tryCopy(long leaf, long version, int at) {
      int count = Node.count(leaf);
      Node.copyKeys(leaf, count, keys);
      long next = Node.nextLeaf(leaf);
      if (!Node.isStill(leaf, version)) {
        return false;
      }
      keyCount = count;
      index = at - 1;
      nextLeaf = next;
      return true;
    }

    /** Moves to the next key; false at the end. */
    public boolean next() {
      while (index + 1 >= keyCount) {
        if (nextLeaf == 0) {
          return false;
        }
        copyNextLeaf();
      }
      index++;
      return true;
    }

    private void copyNextLeaf() {
      long leaf = nextLeaf;
      for (int tries = 1; ; tries++) {
        long version = Node.version(leaf);
        if (!Node.isBeingChanged(version) && tryCopy(leaf, version, 0)) {
          return;
        }
        pause(tries);
      }
    }

    public long value() {
      return OffHeapBTree.this.value(keys[index]);
    }

    /** Where the current key's bytes lie; immutable, valid as long as the arena. */
    public long keyAddress() {
      return Keys.bytes(keys[index]);
    }

    public int keyLength() {
      return Keys.length(keys[index]);
    }
  }
}
