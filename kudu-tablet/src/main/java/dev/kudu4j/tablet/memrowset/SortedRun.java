package dev.kudu4j.tablet.memrowset;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order of some consecutive arrivals of a MemRowSet by one column, NULLs first, divided into
 * pages whose smallest and largest cells are known. Immutable.
 */
public final class SortedRun {
  /** The number of entries of each page but the last. */
  static final int PAGE_ROWS = 256;

  private final int first;
  private final int[] order;
  private final int[] nullCounts;
  private final byte[] @Nullable [] minimums;
  private final byte[] @Nullable [] maximums;
  private final int[] lacking;

  /**
   * @param first the first arrival
   * @param order the arrivals, sorted
   * @param nullCounts of each page
   * @param minimums of each page, in cell form; null for a page of NULLs
   * @param lacking the arrivals whose layout does not have the column; they are among the NULLs
   */
  SortedRun(
      int first,
      int[] order,
      int[] nullCounts,
      byte[] @Nullable [] minimums,
      byte[] @Nullable [] maximums,
      int[] lacking) {
    this.first = first;
    this.order = order;
    this.nullCounts = nullCounts;
    this.minimums = minimums;
    this.maximums = maximums;
    this.lacking = lacking;
  }

  int first() {
    return first;
  }

  /** Behind the last arrival. */
  int end() {
    return first + order.length;
  }

  public int pageCount() {
    return nullCounts.length;
  }

  /** The index of a page's first entry. */
  public int firstEntry(int page) {
    return page * PAGE_ROWS;
  }

  public int rowCount(int page) {
    return Math.min(PAGE_ROWS, order.length - firstEntry(page));
  }

  public int nullCount(int page) {
    return nullCounts[page];
  }

  public byte @Nullable [] minimum(int page) {
    return minimums[page];
  }

  public byte @Nullable [] maximum(int page) {
    return maximums[page];
  }

  /** The arrival of an entry. */
  public int arrival(int entry) {
    return order[entry];
  }

  /** The arrivals whose layout does not have the column: their cells are defaults. */
  public int[] lacking() {
    return Arrays.copyOf(lacking, lacking.length);
  }

  /** The approximate heap memory. */
  static long heapBytes(int rows) {
    return 4L * rows + rows / PAGE_ROWS * 100L;
  }
}
