package dev.kudu4j.tablet.btree;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An off-heap B+tree from byte keys (in unsigned order, a prefix before longer keys) to nonzero
 * 8-byte values, with linked leaves.
 *
 * <p>There is one writer and any number of readers. Readers take no lock; they validate node
 * versions. Keys are never removed, and a key's value never changes.
 *
 * <p>A descending reader notes a child's version and then validates the parent. At that moment the
 * child was therefore the right node to descend to; if it is split later, its version changes. The
 * writer splits full nodes while descending, so a change affects only a parent and a child.
 */
public final class OffHeapBTree {
  private static final byte[] LOWEST = {};

  /**
   * The result of {@link #tryFind} if a concurrent change interfered. It is odd and thus never
   * equal to the address of a key.
   */
  private static final long RETRY = 1;

  private static final int NO_KEY_IN_VALUE = -1;

  /** The search result for a key before all keys of a leaf. */
  private static final int BEFORE_ALL = ~0;

  private static final int SPINS_BEFORE_YIELD = 64;

  private final Arena arena;
  private final int keyOffset;
  private final AtomicLong count = new AtomicLong();
  private volatile long root;

  /**
   * The rightmost leaf; {@link #ascending} is whether the newest key was added to it. Writer only.
   */
  private long lastLeaf;

  private boolean ascending;

  /**
   * The leaf and the index that the last {@link #seek} found. The leaf is 0 if there was no seek or
   * the tree has changed since. Writer only.
   */
  private long soughtLeaf;

  private int soughtIndex;

  /**
   * A tree that copies its keys.
   *
   * @param arena holds the nodes and keys; closed by the caller. Nothing is allocated before the
   *     first key
   */
  public OffHeapBTree(Arena arena) {
    this.arena = arena;
    this.keyOffset = NO_KEY_IN_VALUE;
  }

  /**
   * A tree whose values are addresses of records that contain their own keys: the length (i32) at
   * {@code keyOffset}, followed by the bytes. Records have even addresses, stay valid as long as
   * the arena, and never change their keys.
   *
   * @param arena holds the nodes; closed by the caller
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

  /**
   * The address of the stored key, or 0. Retries until no concurrent change interferes. If {@code
   * cursor} is not null, positions the cursor before the key instead and returns 0.
   */
  private long find(byte[] key, int offset, int length, @Nullable Cursor cursor) {
    for (int tries = 1; ; tries++) {
      long found = tryFind(key, offset, length, cursor);
      if (found != RETRY) {
        return found;
      }
      pause(tries);
    }
  }

  /**
   * Yields after some attempts, because the writer may have been descheduled in the middle of a
   * change.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int tries) {
    if (tries % SPINS_BEFORE_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  private long tryFind(byte[] key, int offset, int length, @Nullable Cursor cursor) {
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
      if (!Node.isUnchanged(node, version)) {
        return RETRY;
      }
      long childVersion = Node.version(child);
      if (Node.isBeingChanged(childVersion) || !Node.isUnchanged(node, version)) {
        return RETRY;
      }
      node = child;
      version = childVersion;
    }
    return tryLeaf(node, version, key, offset, length, cursor);
  }

  private static long tryLeaf(
      long leaf, long version, byte[] key, int offset, int length, @Nullable Cursor cursor) {
    int found = Node.search(leaf, version, key, offset, length);
    if (found == Node.CHANGED) {
      return RETRY;
    }
    if (cursor != null) {
      return cursor.tryCopy(leaf, version, found >= 0 ? found : ~found) ? 0 : RETRY;
    }
    long answer = found >= 0 ? Node.key(leaf, found) : 0;
    return Node.isUnchanged(leaf, version) ? answer : RETRY;
  }

  /**
   * The value of the key, or 0, like {@link #get}. Remembers the position, so that a following
   * {@link #add} of the same key needs no descent. Writer only.
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
   * Adds the key that the preceding {@link #seek} did not find, or any absent key if there was no
   * seek. Writer only.
   *
   * @throws IllegalStateException if the key exists and was not sought
   */
  public void add(byte[] key, int offset, int length, long value) {
    if (soughtLeaf == 0 || Node.count(soughtLeaf) == Node.CAPACITY) {
      if (putIfAbsent(key, offset, length, value) != 0) {
        throw new IllegalStateException("The key already exists; call seek before add");
      }
      return;
    }
    assert soughtIndex < 0 && searchAsWriter(soughtLeaf, key, offset, length) == soughtIndex;
    insert(soughtLeaf, ~soughtIndex, storedKey(key, offset, length, value));
  }

  /** Adds the key if it is absent; returns 0, or the existing value. Writer only. */
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

  /** Finds the leaf for the key. Splits full nodes on the way, so that the leaf has space. */
  private long leafFor(byte[] key, int offset, int length) {
    if (root == 0) {
      lastLeaf = Node.allocate(arena, 0);
      root = lastLeaf;
    }
    return ascending && belongsInLastLeaf(key, offset, length)
        ? lastLeaf
        : descend(key, offset, length);
  }

  /**
   * Whether the key certainly belongs in the last leaf and the leaf has space. A key above some key
   * of the last leaf belongs in it, so keys in ascending order need no descent.
   */
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

  /**
   * Adds a root above the current root. Both roots lead to the same keys, so readers may start at
   * either.
   */
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

  /**
   * The index at which to split a full child: the middle, or for ascending keys the last key, which
   * keeps nodes full.
   */
  private static int splitPoint(
      long child, boolean atRightEdge, byte[] key, int offset, int length) {
    boolean behindAll = atRightEdge && searchAsWriter(child, key, offset, length) == ~Node.CAPACITY;
    return behindAll ? Node.CAPACITY - 1 : Node.CAPACITY / 2;
  }

  /** The number of keys. Any thread. A key that is already visible may not be counted yet. */
  public long count() {
    return count.get();
  }

  /**
   * A cursor before the first key. It sees every key that existed when the cursor was created or
   * last sought, and possibly later ones.
   */
  public Cursor cursor() {
    Cursor cursor = new Cursor();
    cursor.seek(LOWEST, 0, 0);
    return cursor;
  }

  /**
   * Iterates over keys in ascending order. Not thread-safe; concurrent with the writer.
   *
   * <p>Copies the keys of a leaf together with the address of its right sibling. A later split of
   * the leaf moves keys only to a new leaf between the leaf and this sibling, and the cursor has
   * already copied these keys. Therefore the cursor neither misses a key nor returns one twice.
   */
  public final class Cursor {
    private final long[] keys = new long[Node.CAPACITY];
    private int keyCount;
    private int index;
    private long nextLeaf;

    private Cursor() {}

    /** Moves before the first key at or above the given one. */
    public void seek(byte[] key, int offset, int length) {
      keyCount = 0;
      index = -1;
      nextLeaf = 0;
      find(key, offset, length, this);
    }

    /**
     * Copies the keys of a leaf and moves before the key at index {@code at}; false if the writer
     * interfered.
     */
    private boolean tryCopy(long leaf, long version, int at) {
      int count = Node.count(leaf);
      Node.copyKeys(leaf, count, keys);
      long next = Node.nextLeaf(leaf);
      if (!Node.isUnchanged(leaf, version)) {
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

    /** The address of the current key's bytes; immutable and valid as long as the arena. */
    public long keyAddress() {
      return Keys.bytes(keys[index]);
    }

    public int keyLength() {
      return Keys.length(keys[index]);
    }
  }
}
