package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;

/**
 * The encoded keys of a batch's rows, concatenated in row order. For a diff scan also marks the
 * rows that are ghosts: deleted rows that are returned with their last cells.
 */
public final class BatchKeys {
  private byte[] bytes = new byte[1024];
  private int[] ends = new int[64];
  private boolean[] ghosts = new boolean[64];
  private int count;

  public int count() {
    return count;
  }

  public void clear() {
    count = 0;
  }

  public byte[] array() {
    return bytes;
  }

  public int offset(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  public int length(int index) {
    return ends[index] - offset(index);
  }

  boolean isGhost(int index) {
    return ghosts[index];
  }

  void add(byte[] array, int offset, int length, boolean ghost) {
    int at = grow(length, ghost);
    System.arraycopy(array, offset, bytes, at, length);
  }

  void add(long address, int length, boolean ghost) {
    int at = grow(length, ghost);
    Memory.copy(address, bytes, at, length);
  }

  private int grow(int length, boolean ghost) {
    int at = count == 0 ? 0 : ends[count - 1];
    if (at + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, at + length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      ghosts = Arrays.copyOf(ghosts, 2 * count);
    }
    ends[count] = at + length;
    ghosts[count] = ghost;
    count++;
    return at;
  }

  int compare(int index, BatchKeys other, int otherIndex) {
    int offset = other.offset(otherIndex);
    return compare(index, other.bytes, offset, offset + other.length(otherIndex));
  }

  int compare(int index, byte[] key) {
    return compare(index, key, 0, key.length);
  }

  private int compare(int index, byte[] key, int from, int to) {
    return Arrays.compareUnsigned(bytes, offset(index), ends[index], key, from, to);
  }
}
