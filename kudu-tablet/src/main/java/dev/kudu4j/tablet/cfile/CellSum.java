package dev.kudu4j.tablet.cfile;

import java.math.BigInteger;

/**
 * How many cells matched, and their sum, as pages have told it without handing out a cell. Exact in
 * 128 bits for integers, whose number no page can make overflow. Not thread-safe.
 */
public final class CellSum {
  private long rows;
  private long low;
  private long high;
  private double floating;

  /** Back to nothing. */
  public void clear() {
    rows = 0;
    low = 0;
    high = 0;
    floating = 0;
  }

  public long rows() {
    return rows;
  }

  /** The sum of integers, and of decimals as their unscaled values. */
  public BigInteger exact() {
    long carry = low < 0 ? 1 : 0; // as a signed number it is 2^64 too small
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

  /** Adds the product, which may need 128 bits. */
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
