package dev.kudu4j.tablet.transaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.bloom.KeyHash;
import dev.kudu4j.tablet.memory.Arena;
import dev.kudu4j.tablet.memory.ValuesByHash;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The keys that open transactions hold. A key is held by one transaction at most. Writer only.
 *
 * <pre>
 *   record, in the arena of the transaction:
 *     previous record of the transaction i64 | transaction i64 | key bytes i32 | row exists u8 | key
 * </pre>
 */
final class HeldKeys implements AutoCloseable {
  /** The address that stands for no record. */
  static final long NONE = 0;

  private static final int TRANSACTION_OFFSET = 8;
  private static final int LENGTH_OFFSET = 16;
  private static final int EXISTS_OFFSET = 20;
  private static final int KEY_OFFSET = 21;

  private final ValuesByHash records;

  HeldKeys(BufferAllocator allocator) {
    this.records = new ValuesByHash(allocator);
  }

  /** The record of a key; {@link #NONE} if no transaction holds it. */
  long find(byte[] key, int offset, int length) {
    long hash = KeyHash.of(key, offset, length);
    for (int slot = records.first(hash);
        slot != ValuesByHash.NONE;
        slot = records.next(hash, slot)) {
      long record = records.value(slot);
      if (Memory.compare(record + KEY_OFFSET, length(record), key, offset, length) == 0) {
        return record;
      }
    }
    return NONE;
  }

  private static int length(long record) {
    return Memory.getInt(record + LENGTH_OFFSET);
  }

  static long transaction(long record) {
    return Memory.getLong(record + TRANSACTION_OFFSET);
  }

  /** Whether the row exists as the transaction sees it. */
  static boolean exists(long record) {
    return Memory.getByte(record + EXISTS_OFFSET) != 0;
  }

  static void setExists(long record, boolean exists) {
    Memory.putByte(record + EXISTS_OFFSET, (byte) (exists ? 1 : 0));
  }

  /**
   * Adds a key that no transaction holds.
   *
   * @param previous the last record of the transaction, or {@link #NONE}
   * @return the record
   */
  long add(
      long transaction,
      Arena arena,
      long previous,
      byte[] key,
      int offset,
      int length,
      boolean exists) {
    long record = arena.allocate(KEY_OFFSET + length);
    Memory.putLong(record, previous);
    Memory.putLong(record + TRANSACTION_OFFSET, transaction);
    Memory.putInt(record + LENGTH_OFFSET, length);
    setExists(record, exists);
    Memory.copy(key, offset, record + KEY_OFFSET, length);
    records.add(KeyHash.of(key, offset, length), record);
    return record;
  }

  /** Releases a record and all previous records of its transaction. */
  void release(long last) {
    for (long record = last; record != NONE; record = Memory.getLong(record)) {
      long hash = KeyHash.of(record + KEY_OFFSET, length(record));
      int slot = records.first(hash);
      while (records.value(slot) != record) {
        slot = records.next(hash, slot);
      }
      records.remove(slot);
    }
    if (records.count() == 0) {
      records.close(); // a large transaction may have left a large table
    }
  }

  int count() {
    return records.count();
  }

  @Override
  public void close() {
    records.close();
  }
}
