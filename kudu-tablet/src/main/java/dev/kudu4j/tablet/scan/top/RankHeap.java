package dev.kudu4j.tablet.scan.top;

import java.util.Arrays;

/** The lowest of the ranks that were offered: a heap with the highest of them at its root. */
final class RankHeap {
  private static final int FIRST_SIZE = 1024;

  private final int max;
  private long[] ranks;
  private int size;

  /**
   * @param max how many ranks to keep, at least 1
   */
  RankHeap(int max) {
    this.max = max;
    this.ranks = new long[Math.min(max, FIRST_SIZE)];
  }

  /** Whether there are as many ranks as wanted, so that {@link #bound} excludes others. */
  boolean isFull() {
    return size == max;
  }

  /** The highest of the ranks. */
  long bound() {
    return ranks[0];
  }

  /** The memory of the heap. */
  long bytes() {
    return (long) Long.BYTES * ranks.length;
  }

  /** Adds a rank, unless there are enough lower ones. */
  void offer(long rank) {
    if (size < max) {
      add(rank);
    } else if (rank < ranks[0]) {
      sinkFromRoot(rank);
    }
  }

  private void add(long rank) {
    if (size == ranks.length) {
      ranks = Arrays.copyOf(ranks, Math.min(max, 2 * size));
    }
    int at = size++;
    while (at > 0 && ranks[(at - 1) >>> 1] < rank) {
      ranks[at] = ranks[(at - 1) >>> 1];
      at = (at - 1) >>> 1;
    }
    ranks[at] = rank;
  }

  private void sinkFromRoot(long rank) {
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && ranks[child + 1] > ranks[child]) {
        child++;
      }
      if (ranks[child] <= rank) {
        break;
      }
      ranks[at] = ranks[child];
      at = child;
    }
    ranks[at] = rank;
  }
}
