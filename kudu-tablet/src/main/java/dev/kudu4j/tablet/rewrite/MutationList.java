package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.tablet.delta.Mutation;
import java.util.Arrays;

/** A list of one row's changes: addresses that {@link Mutation} reads. Reusable. */
public final class MutationList {
  private long[] entries = new long[16];
  private long[] sorted = new long[16];
  private int size;

  public void add(long entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    entries[size++] = entry;
  }

  public long get(int index) {
    assert index < size;
    return entries[index];
  }

  void set(int index, long entry) {
    entries[index] = entry;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public void clear() {
    size = 0;
  }

  /** Removes all changes from the index on. */
  void truncate(int newSize) {
    assert newSize <= size;
    size = newSize;
  }

  /** Sorts the changes oldest first. If they are already sorted, only checks the order. */
  public void sortByTime() {
    boolean isSorted = true;
    for (int i = 1; i < size && isSorted; i++) {
      isSorted = compare(entries[i - 1], entries[i]) <= 0;
    }
    if (!isSorted) {
      mergeSort();
    }
  }

  private void mergeSort() {
    if (sorted.length < size) {
      sorted = new long[entries.length];
    }
    for (int run = 1; run < size; run *= 2) {
      for (int from = 0; from < size; from += 2 * run) {
        merge(from, Math.min(from + run, size), Math.min(from + 2 * run, size));
      }
      long[] swapped = entries;
      entries = sorted;
      sorted = swapped;
    }
  }

  private void merge(int from, int middle, int end) {
    int left = from;
    int right = middle;
    for (int to = from; to < end; to++) {
      boolean takeLeft =
          right == end || (left < middle && compare(entries[left], entries[right]) <= 0);
      sorted[to] = takeLeft ? entries[left++] : entries[right++];
    }
  }

  static int compare(long entry, long other) {
    int order = Long.compare(Mutation.timestamp(entry), Mutation.timestamp(other));
    return order != 0 ? order : Integer.compare(Mutation.sequence(entry), Mutation.sequence(other));
  }
}
