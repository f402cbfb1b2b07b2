package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.btree.OffHeapBTree;
import dev.kudu4j.tablet.memory.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The changes of one DiskRowSet's rows that are not yet on disk. Each changed ordinal has a chain
 * of {@link Mutation}s, newest first.
 *
 * <p>One writer, any number of readers, no locks. {@link #close} frees the off-heap memory; the
 * owning rowset calls it when no reader is left.
 *
 * <pre>
 *   tree: ordinal --> head:  newest mutation i64 | key length i32 = 8 | ordinal, big-endian
 * </pre>
 *
 * <p>A head never moves. A release store of a mutation's address into the head publishes the
 * change.
 */
public final class DeltaMemStore implements AutoCloseable {
  private static final int HEAD_KEY_OFFSET = 8;
  private static final int HEAD_BYTES = HEAD_KEY_OFFSET + 4 + Long.BYTES;
  private static final int LOG_CHUNK_BITS = 6; // most stores have few changes

  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final ThreadLocal<byte[]> KEY =
      ThreadLocal.withInitial(() -> new byte[Long.BYTES]);

  private final BufferAllocator allocator;
  private final Arena arena;
  private final OffHeapBTree heads;
  private final ChangeLog changes;
  private final AtomicLong count = new AtomicLong();
  private volatile long minTimestamp = Long.MAX_VALUE;
  private volatile long maxTimestamp;

  /**
   * @param allocator shared; the store creates a named child of it
   */
  public DeltaMemStore(BufferAllocator allocator, int chunkBytes) {
    this.allocator = allocator.newChildAllocator("DeltaMemStores", 0, Long.MAX_VALUE);
    this.arena = new Arena(this.allocator, chunkBytes);
    this.heads = new OffHeapBTree(arena, HEAD_KEY_OFFSET);
    this.changes = new ChangeLog(arena, LOG_CHUNK_BITS);
  }

  /**
   * Appends a change. It must be newer, by (timestamp, sequence), than the ordinal's previous
   * change. Writer only.
   */
  public void add(
      long ordinal, long timestamp, int sequence, byte[] change, int offset, int length) {
    assert ordinal >= 0;
    widenTimestamps(timestamp);
    long head = head(ordinal);
    long older = head == 0 ? 0 : Memory.getLong(head);
    assert older == 0 || isOrdered(older, timestamp, sequence);
    long mutation = Mutation.write(arena, older, timestamp, sequence, change, offset, length);
    if (head == 0) {
      addHead(ordinal, mutation);
    } else {
      Memory.putLongRelease(head, mutation);
    }
    changes.add(ordinal, mutation);
    count.lazySet(count.getPlain() + 1);
  }

  private static boolean isOrdered(long older, long timestamp, int sequence) {
    return Mutation.timestamp(older) < timestamp
        || (Mutation.timestamp(older) == timestamp && Mutation.sequence(older) < sequence);
  }

  /**
   * Widens the store's range of timestamps before the change is published. Otherwise a reader could
   * skip the store although it contains a change that the reader needs.
   */
  private void widenTimestamps(long timestamp) {
    if (timestamp < minTimestamp) {
      minTimestamp = timestamp;
    }
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
    }
  }

  private void addHead(long ordinal, long mutation) {
    byte[] key = key(ordinal);
    long head = arena.allocate(HEAD_BYTES);
    Memory.putLong(head, mutation);
    Memory.putInt(head + HEAD_KEY_OFFSET, key.length);
    Memory.copy(key, 0, head + HEAD_KEY_OFFSET + 4, key.length);
    heads.putIfAbsent(key, 0, key.length, head);
  }

  private long head(long ordinal) {
    return heads.get(key(ordinal), 0, Long.BYTES);
  }

  /** The ordinal as a key, in a thread-local array. */
  private static byte[] key(long ordinal) {
    byte[] key = KEY.get();
    BIG_ENDIAN_LONG.set(key, 0, ordinal);
    return key;
  }

  /** The newest mutation of the row, or 0. Any thread. */
  public long newest(long ordinal) {
    long head = head(ordinal);
    return head == 0 ? 0 : Memory.getLongVolatile(head);
  }

  /** All changes, with the ordinals of their rows. Any thread. */
  public ChangeLog changes() {
    return changes;
  }

  /** The number of changes. Any thread. A change that is already visible may not be counted yet. */
  public long count() {
    return count.get();
  }

  /** Whether nothing was ever added. Writer only: {@link #count} may lag for other threads. */
  public boolean isEmpty() {
    return count() == 0;
  }

  /** Off-heap bytes in use. */
  public long bytes() {
    return arena.bytes();
  }

  /** The lowest timestamp, or Long.MAX_VALUE if empty. */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** The highest timestamp, or 0 if empty. */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** A cursor before the first changed row. */
  public Cursor cursor() {
    return new Cursor();
  }

  @Override
  public void close() {
    arena.close();
    allocator.close();
  }

  /** Iterates over changed rows by ordinal. */
  public final class Cursor {
    private final OffHeapBTree.Cursor cursor = heads.cursor();

    private Cursor() {}

    /** Moves before the first changed row at or above the ordinal. */
    public void seek(long ordinal) {
      cursor.seek(key(ordinal), 0, Long.BYTES);
    }

    public boolean next() {
      return cursor.next();
    }

    public long ordinal() {
      return Long.reverseBytes(Memory.getLong(cursor.keyAddress()));
    }

    /** The newest mutation of the row at the time of the call. */
    public long newest() {
      return Memory.getLongVolatile(cursor.value());
    }
  }
}
