package dev.kudu4j.benchmarks.workload;

import java.util.SplittableRandom;

/** Keys drawn from a stream of rows, each row as likely as any other (reservoir sampling). */
public final class KeySample {
  private final long[] orderKeys;
  private final int[] lineNumbers;
  private final SplittableRandom random;
  private long seen;

  public KeySample(int capacity, long seed) {
    this.orderKeys = new long[capacity];
    this.lineNumbers = new int[capacity];
    this.random = new SplittableRandom(seed);
  }

  public void offer(long orderKey, int lineNumber) {
    long place = seen < orderKeys.length ? seen : random.nextLong(seen + 1);
    seen++;
    if (place < orderKeys.length) {
      orderKeys[(int) place] = orderKey;
      lineNumbers[(int) place] = lineNumber;
    }
  }

  /** A sample with the keys of both samples. */
  public KeySample concat(KeySample other) {
    KeySample both = new KeySample(size() + other.size(), 0);
    for (KeySample part : new KeySample[] {this, other}) {
      for (int i = 0; i < part.size(); i++) {
        both.offer(part.orderKeys[i], part.lineNumbers[i]);
      }
    }
    return both;
  }

  public int size() {
    return (int) Math.min(seen, orderKeys.length);
  }

  public long orderKey(int index) {
    return orderKeys[index];
  }

  public int lineNumber(int index) {
    return lineNumbers[index];
  }

  /** Puts the keys into random order, so that adjacent keys are not requested in sequence. */
  public void shuffle() {
    for (int i = size() - 1; i > 0; i--) {
      swap(i, random.nextInt(i + 1));
    }
  }

  private void swap(int a, int b) {
    long orderKey = orderKeys[a];
    int lineNumber = lineNumbers[a];
    orderKeys[a] = orderKeys[b];
    lineNumbers[a] = lineNumbers[b];
    orderKeys[b] = orderKey;
    lineNumbers[b] = lineNumber;
  }
}
