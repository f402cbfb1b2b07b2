package dev.kudu4j.tablet.components;

import dev.kudu4j.common.key.KeyPrefix;
import java.util.Arrays;

/**
 * Key intervals, both ends inclusive. Finds the intervals that contain a key in O(log n) per
 * result, regardless of overlap.
 *
 * <p>The intervals are sorted by smallest key. A segment tree over the sorted intervals stores in
 * each node the interval of its subtree with the largest end. Only intervals that start at or below
 * a key can contain the key; among these, a subtree whose largest end is below the key is skipped
 * as a whole. Immutable.
 *
 * <pre>
 *   node 1:             farthest of all (the one with the largest end)
 *   node 2, 3:          of each half              children of node i: 2i and 2i + 1
 *   node leaves + i:    interval i itself         leaves: a power of two above the interval count
 * </pre>
 */
final class KeyIntervals {
  private static final int NONE = -1;

  private final byte[][] minKeys;
  private final byte[][] maxKeys;
  private final long[] minPrefixes;
  private final long[] maxPrefixes;
  private final int leaves;
  private final int[] farthest; // by node: an interval or NONE

  /**
   * @param minKeys the smallest keys of the intervals, ascending
   * @param maxKeys the largest keys of the same intervals
   */
  KeyIntervals(byte[][] minKeys, byte[][] maxKeys) {
    this.minKeys = minKeys;
    this.maxKeys = maxKeys;
    this.minPrefixes = prefixes(minKeys);
    this.maxPrefixes = prefixes(maxKeys);
    this.leaves = Math.max(1, Integer.highestOneBit(2 * minKeys.length));
    this.farthest = new int[2 * leaves];
    for (int i = 0; i < leaves; i++) {
      farthest[leaves + i] = i < minKeys.length ? i : NONE;
    }
    for (int node = leaves - 1; node > 0; node--) {
      farthest[node] = farther(farthest[2 * node], farthest[2 * node + 1]);
    }
  }

  private static long[] prefixes(byte[][] keys) {
    return Arrays.stream(keys).mapToLong(KeyPrefix::of).toArray();
  }

  private int farther(int left, int right) {
    if (left == NONE || right == NONE) {
      return Math.max(left, right);
    }
    return Arrays.compareUnsigned(maxKeys[left], maxKeys[right]) >= 0 ? left : right;
  }

  /** The last interval with an index below {@code before} that contains the key, or -1. */
  int coveringBefore(int before, byte[] key, int offset, int length) {
    long prefix = KeyPrefix.of(key, offset, length);
    int end = Math.min(before, firstAbove(prefix, key, offset, length));
    // Walk from the leaf at index end up to the root. The left siblings of the nodes on this path
    // are the roots of subtrees that together contain exactly the intervals [0, end), from right to
    // left.
    for (int node = leaves + end; node > 1; node >>= 1) {
      boolean isRight = (node & 1) == 1;
      if (isRight && reaches(node - 1, prefix, key, offset, length)) {
        return lastReaching(node - 1, prefix, key, offset, length);
      }
    }
    return NONE;
  }

  private int lastReaching(int top, long prefix, byte[] key, int offset, int length) {
    int node = top;
    while (node < leaves) {
      int right = 2 * node + 1;
      node = reaches(right, prefix, key, offset, length) ? right : right - 1;
    }
    return node - leaves;
  }

  private boolean reaches(int node, long prefix, byte[] key, int offset, int length) {
    int interval = farthest[node];
    if (interval == NONE || maxPrefixes[interval] != prefix) {
      return interval != NONE && maxPrefixes[interval] > prefix;
    }
    return compare(maxKeys[interval], key, offset, length) >= 0;
  }

  /** The first interval that starts above the key. */
  private int firstAbove(long prefix, byte[] key, int offset, int length) {
    int low = 0;
    int high = minKeys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isAtOrBelow(middle, prefix, key, offset, length)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isAtOrBelow(int interval, long prefix, byte[] key, int offset, int length) {
    long minPrefix = minPrefixes[interval];
    return minPrefix == prefix
        ? compare(minKeys[interval], key, offset, length) <= 0
        : minPrefix < prefix;
  }

  private static int compare(byte[] bound, byte[] key, int offset, int length) {
    return Arrays.compareUnsigned(bound, 0, bound.length, key, offset, offset + length);
  }
}
