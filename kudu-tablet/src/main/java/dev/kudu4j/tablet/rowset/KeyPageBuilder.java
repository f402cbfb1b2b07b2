package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.file.PageBuffer;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Collects the keys of a key page. Assembles the page at the end, when the common prefix is known.
 * Tracks the exact size of the entries. {@link KeyPageFormat} defines the layout. Not thread-safe.
 */
final class KeyPageBuilder implements AutoCloseable {
  /** An upper bound of the varint bytes in one entry. */
  private static final int MAX_NUMBER_BYTES = 10;

  private final PageBuffer keys; // whole keys, concatenated
  private final PageBuffer page;
  private int[] ends = new int[256]; // the end of each key in keys
  private int[] shared = new int[256]; // the bytes that a key shares with the previous one
  private int rows;
  private int prefix; // the bytes of the prefix that all keys share
  private int entryBytes; // the size of the entries that are not restarts
  private int restartKeyBytes; // the total length of the restarts' keys
  private int pageBytes;

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  KeyPageBuilder(BufferAllocator allocator) {
    this.keys = new PageBuffer(allocator);
    this.page = new PageBuffer(allocator);
  }

  int rows() {
    return rows;
  }

  /** Whether another key fits, given its length and the prefix that it shares with the last key. */
  boolean hasRoom(int length, int sharedBytes) {
    if (rows == 0) {
      return true;
    }
    int longest = Math.min(prefix, sharedBytes);
    int more = KeyPageFormat.isRestart(rows) ? length : entryBytes(length, sharedBytes);
    return bytes(longest) + more - (KeyPageFormat.isRestart(rows) ? longest : 0) + 3
        <= KeyPageFormat.PAGE_BYTES;
  }

  /** The size of the entries with the given common prefix length. */
  private int bytes(int prefixBytes) {
    int restarts = KeyPageFormat.groups(rows);
    return entryBytes + restartKeyBytes + restarts * (3 - prefixBytes);
  }

  private int entryBytes(int length, int sharedBytes) {
    boolean sameLength = length == keyLength(rows - 1);
    int further = length - sharedBytes;
    return KeyPageFormat.varintBytes(KeyPageFormat.head(further, sameLength))
        + (sameLength ? 0 : KeyPageFormat.varintBytes(sharedBytes))
        + further;
  }

  private int keyStart(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  private int keyLength(int row) {
    return ends[row] - keyStart(row);
  }

  /** An estimate of the current page size. */
  int bytes() {
    return rows == 0 ? 0 : bytes(prefix);
  }

  /**
   * Adds a key, for which {@link #hasRoom} must be true.
   *
   * @param sharedBytes the length of the prefix that the key shares with the previous key
   */
  void add(long key, int length, int sharedBytes) {
    if (rows == ends.length) {
      ends = Arrays.copyOf(ends, 2 * rows);
      shared = Arrays.copyOf(shared, 2 * rows);
    }
    prefix = rows == 0 ? length : Math.min(prefix, sharedBytes);
    if (KeyPageFormat.isRestart(rows)) {
      restartKeyBytes += length;
    } else {
      entryBytes += entryBytes(length, sharedBytes);
    }
    int start = keyStart(rows);
    Memory.copy(key, keys.reserve((long) start + length, start) + start, length);
    ends[rows] = start + length;
    shared[rows] = sharedBytes;
    rows++;
  }

  /** Assembles the page and returns its address, which is valid until the next call. */
  long build() {
    int entries = KeyPageFormat.HEADER_BYTES + prefix + KeyPageFormat.restartBytes(rows);
    long max = (long) bytes(prefix) + (long) MAX_NUMBER_BYTES * rows;
    long body = page.reserve(entries + max);
    Memory.putInt(body, rows);
    Memory.putInt(body + 4, prefix);
    Memory.copy(keys.address(), body + KeyPageFormat.HEADER_BYTES, prefix);
    long restarts = body + KeyPageFormat.HEADER_BYTES + prefix;
    long at = body + entries;
    for (int row = 0; row < rows; row++) {
      if (KeyPageFormat.isRestart(row)) {
        int group = row / KeyPageFormat.ROWS_PER_RESTART;
        if (group > 0) {
          Memory.putShort(restarts + 2L * (group - 1), (short) (at - body - entries));
        }
        at = putRestart(row, at);
      } else {
        at = putEntry(row, at);
      }
    }
    pageBytes = (int) (at - body);
    return body;
  }

  /** The length of the most recently built page. */
  int pageBytes() {
    return pageBytes;
  }

  private long putRestart(int row, long to) {
    return putBytes(row, prefix, KeyPageFormat.putVarint(to, keyLength(row) - prefix));
  }

  private long putEntry(int row, long to) {
    boolean sameLength = keyLength(row) == keyLength(row - 1);
    int further = keyLength(row) - shared[row];
    long at = KeyPageFormat.putVarint(to, KeyPageFormat.head(further, sameLength));
    if (!sameLength) {
      at = KeyPageFormat.putVarint(at, shared[row]);
    }
    return putBytes(row, shared[row], at);
  }

  /** Writes the row's key without its first {@code without} bytes. */
  private long putBytes(int row, int without, long to) {
    int further = keyLength(row) - without;
    Memory.copy(keys.address() + keyStart(row) + without, to, further);
    return to + further;
  }

  void clear() {
    rows = 0;
    entryBytes = 0;
    restartKeyBytes = 0;
  }

  @Override
  public void close() {
    keys.close();
    page.close();
  }
}
