package dev.kudu4j.tablet.cfile;

import java.math.BigInteger;

/**
 * The count and the sum of matching cells, computed on encoded pages without materializing cells.
 * Integer sums are exact: they have 128 bits, and no page has enough rows to overflow them. Not
 * thread-safe.
 */
public final class CellSum {
  private long rows;
  private long low;
  private long high;
  private double floating;

  /** Resets the count and the sum to zero. */
  public void clear() {
    rows = 0;
    low = 0;
    high = 0;
    floating = 0;
  }

  public long rows() {
    return rows;
  }

  /** The sum of integers; for decimals, the sum of the unscaled values. */
  public BigInteger exact() {
    long carry = low < 0 ? 1 : 0; // as a signed number, low is 2^64 too small
    return BigInteger.valueOf(high)
        .add(BigInteger.valueOf(carry))
        .shiftLeft(64)
        .add(BigInteger.valueOf(low));
  }

  /** The sum of doubles. */
  public double floating() {
    return floating;
  }

  public void add(CellSum other) {
    rows += other.rows;
    addWide(other.high, other.low);
    floating += other.floating;
  }

  void addRows(long more) {
    rows += more;
  }

  void add(long value) {
    addWide(value >> 63, value);
  }

  /** Adds a product that may need 128 bits. */
  void addProduct(long value, long times) {
    addWide(Math.multiplyHigh(value, times), value * times);
  }

  private void addWide(long highWord, long lowWord) {
    low += lowWord;
    high += highWord + (Long.compareUnsigned(low, lowWord) < 0 ? 1 : 0);
  }

  void add(double value) {
    floating += value;
  }
}
