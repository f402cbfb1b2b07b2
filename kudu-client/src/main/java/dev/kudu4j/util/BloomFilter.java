package dev.kudu4j.util;

import dev.kudu4j.common.predicate.BlockBloomFilter;
import dev.kudu4j.common.predicate.FastHash;
import dev.kudu4j.common.schema.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An approximate set of values, small enough to be sent with a scan; see {@code
 * KuduPredicate.newInBloomFilterPredicate}. {@code mayContain} is true for every value of the set,
 * and sometimes for other values.
 *
 * <p>It has the servers' format: blocks of 32 bytes, where each value sets eight bits of one block.
 * So its size in bytes is a power of two, and the hash function is always that of the servers. Add
 * the values of one column, in the Java class of its type. Not thread-safe.
 */
public final class BloomFilter {
  private static final int MIN_LOG_BYTES = 6;
  private static final int MAX_LOG_BYTES = 25;
  private static final int BITS_A_VALUE = 8;
  private static final double DEFAULT_FALSE_POSITIVES = 0.01;

  private final byte[] blocks;
  private boolean empty = true;

  private BloomFilter(int logBytes) {
    this.blocks = new byte[1 << logBytes];
  }

  /** A filter of at least {@code bytes} bytes, but not larger than servers accept. */
  public static BloomFilter bySize(int bytes) {
    return new BloomFilter(logOf(bytes));
  }

  /**
   * The same as {@link #bySize}. The rate is only validated; the actual rate depends on the number
   * of values added.
   */
  public static BloomFilter bySizeAndFPRate(int bytes, double falsePositiveRate) {
    checkRate(falsePositiveRate);
    return bySize(bytes);
  }

  /** A filter for that many values, with a false positive rate of 1 %. */
  public static BloomFilter byCount(int count) {
    return byCountAndFPRate(count, DEFAULT_FALSE_POSITIVES);
  }

  /** A filter for that many values, with at most that false positive rate. */
  public static BloomFilter byCountAndFPRate(int count, double falsePositiveRate) {
    checkRate(falsePositiveRate);
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
    double missed = 1 - Math.pow(falsePositiveRate, 1.0 / BITS_A_VALUE);
    double bits = -BITS_A_VALUE * (double) count / Math.log(missed);
    return new BloomFilter(logOf(Math.max(1, bits / 8)));
  }

  private static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("false positive rate must be between 0 and 1: " + rate);
    }
  }

  private static int logOf(double bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("size must be positive: " + bytes);
    }
    int log = MIN_LOG_BYTES;
    while (log < MAX_LOG_BYTES && (1 << log) < bytes) {
      log++;
    }
    return log;
  }

  public void put(byte[] data) {
    BlockBloomFilter.insert(blocks, hash(data));
    empty = false;
  }

  public void put(boolean data) {
    put(cell(data ? 1 : 0, 1));
  }

  public void put(byte data) {
    put(cell(data, Byte.BYTES));
  }

  public void put(short data) {
    put(cell(data, Short.BYTES));
  }

  public void put(int data) {
    put(cell(data, Integer.BYTES));
  }

  public void put(long data) {
    put(cell(data, Long.BYTES));
  }

  public void put(float data) {
    put(cell(Float.floatToRawIntBits(data), Float.BYTES));
  }

  public void put(double data) {
    put(cell(Double.doubleToRawLongBits(data), Double.BYTES));
  }

  public void put(String data) {
    put(data.getBytes(StandardCharsets.UTF_8));
  }

  public boolean mayContain(byte[] data) {
    return view(blocks).mayContain(hash(data));
  }

  public boolean mayContain(boolean data) {
    return mayContain(cell(data ? 1 : 0, 1));
  }

  public boolean mayContain(byte data) {
    return mayContain(cell(data, Byte.BYTES));
  }

  public boolean mayContain(short data) {
    return mayContain(cell(data, Short.BYTES));
  }

  public boolean mayContain(int data) {
    return mayContain(cell(data, Integer.BYTES));
  }

  public boolean mayContain(long data) {
    return mayContain(cell(data, Long.BYTES));
  }

  public boolean mayContain(float data) {
    return mayContain(cell(Float.floatToRawIntBits(data), Float.BYTES));
  }

  public boolean mayContain(double data) {
    return mayContain(cell(Double.doubleToRawLongBits(data), Double.BYTES));
  }

  public boolean mayContain(String data) {
    return mayContain(data.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of the bits. */
  public byte[] getBitSet() {
    return blocks.clone();
  }

  /** The number of bits that a value sets. */
  public int getNumHashes() {
    return BITS_A_VALUE;
  }

  public String getHashFunctionName() {
    return "FAST_HASH";
  }

  /** A copy of the filter in its internal form. */
  public BlockBloomFilter toCommon() {
    return view(blocks.clone());
  }

  private BlockBloomFilter view(byte[] bits) {
    return new BlockBloomFilter(Integer.numberOfTrailingZeros(bits.length), bits, empty, 0);
  }

  private static int hash(byte[] data) {
    return FastHash.hash32(data, 0, data.length, 0);
  }

  private static byte[] cell(long value, int width) {
    byte[] cell = new byte[Long.BYTES];
    LittleEndian.putLong(cell, 0, value);
    return Arrays.copyOf(cell, width);
  }

  @Override
  public String toString() {
    return "BloomFilter(" + blocks.length + " bytes" + (empty ? ", empty)" : ")");
  }
}
