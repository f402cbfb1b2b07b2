package dev.kudu4j.common.sketch;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * Estimates the number of different values of a column: an HLL sketch of Apache DataSketches with
 * 4096 registers of a byte. Up to some hundred values it is a set of hashes, with an exact count in
 * practice; above, its standard error is 1.7 %.
 *
 * <p>The sketch and its estimate depend on the set of values only: not on their order or number,
 * nor on how they were divided among sketches that are merged later. NaN is one value, and 0.0
 * equals -0.0.
 *
 * <p>How a cell is hashed is part of the wire: integers, dates, timestamps, booleans and decimals
 * of up to 64 bits as a long, floats as a double, all others as bytes, each with the library's
 * default seed. Not thread-safe.
 */
public final class DistinctSketch {
  private static final int LOG_REGISTERS = 12;

  // The library's header.
  private static final int VERSION = 1;
  private static final int HLL_FAMILY = 7;
  private static final int COMPACT_FLAG = 8;
  private static final int REGISTERS_OF_A_BYTE = 2;
  private static final int LIST_HEADER = 8;
  private static final int SET_HEADER = 12;
  private static final int REGISTERS_HEADER = 40;

  // The library's hash tables: a list of less than 8 hashes, then a set that is at most 3/4 full.
  private static final int LOG_LIST = 3;
  private static final int LOG_MIN_SET = 5;
  private static final int LOG_MAX_SET = LOG_REGISTERS - 3;

  /** The greatest number of leading zeros that a register has, plus one. */
  private static final int MAX_REGISTER = 63;

  /** A hash is a register's number, and above it what the register is at least: 1 or more. */
  private static final int MIN_HASH = 1 << 26;

  /** The library ignores an empty array, but an empty text is a value. */
  private static final long EMPTY = 0x6b75_6475_346a_0001L;

  private HllSketch sketch;

  public DistinctSketch() {
    this(new HllSketch(LOG_REGISTERS, TgtHllType.HLL_8));
  }

  private DistinctSketch(HllSketch sketch) {
    this.sketch = sketch;
  }

  /**
   * Reads {@link #toBytes}.
   *
   * @throws KuduException CORRUPTION if the bytes are no such sketch
   */
  public static DistinctSketch of(byte[] bytes) {
    if (!isWellFormed(bytes)) {
      throw KuduException.corruption(
          "%d bytes are not a sketch of distinct values with 2^%d registers",
          bytes.length, LOG_REGISTERS);
    }
    try {
      return new DistinctSketch(HllSketch.heapify(bytes));
    } catch (RuntimeException e) { // of any kind: the library checks little
      throw KuduException.corruption("Invalid sketch of distinct values: %s", e.toString());
    }
  }

  /**
   * Checks header, length and content, which the library only asserts: it allocates by a size in
   * the header, and indexes arrays by numbers from the bytes.
   */
  private static boolean isWellFormed(byte[] bytes) {
    if (bytes.length < LIST_HEADER
        || bytes[1] != VERSION
        || bytes[2] != HLL_FAMILY
        || bytes[3] != LOG_REGISTERS
        || (bytes[7] >> 2 & 3) != REGISTERS_OF_A_BYTE) {
      return false;
    }
    return switch (bytes[7] & 3) {
      case 0 -> areHashes(bytes, LOG_LIST, LOG_LIST, LIST_HEADER, bytes[6], (1 << LOG_LIST) - 1);
      case 1 -> isSet(bytes);
      case 2 -> areRegisters(bytes);
      default -> false;
    };
  }

  private static boolean isSet(byte[] bytes) {
    return bytes.length >= SET_HEADER
        && areHashes(
            bytes,
            LOG_MIN_SET,
            LOG_MAX_SET,
            SET_HEADER,
            LittleEndian.getInt(bytes, 8),
            (3 << bytes[4]) / 4);
  }

  /**
   * Whether there are this many hashes behind the header, without empty places, for a table whose
   * size is within limits.
   */
  private static boolean areHashes(
      byte[] bytes, int minLogSize, int maxLogSize, int header, int count, int max) {
    if ((bytes[5] & COMPACT_FLAG) == 0
        || bytes[4] < minLogSize
        || bytes[4] > maxLogSize
        || count < 0
        || count > max
        || bytes.length != header + Integer.BYTES * count) {
      return false;
    }
    for (int at = header; at < bytes.length; at += Integer.BYTES) {
      if (Integer.compareUnsigned(LittleEndian.getInt(bytes, at), MIN_HASH) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether all registers are present, and the header has the sums from which estimates are
   * computed.
   */
  private static boolean areRegisters(byte[] bytes) {
    if (bytes.length != REGISTERS_HEADER + (1 << LOG_REGISTERS)) {
      return false;
    }
    int min = bytes[6];
    int minCount = 0;
    double powers = 0;
    for (int at = REGISTERS_HEADER; at < bytes.length; at++) {
      if (bytes[at] < Math.max(min, 0) || bytes[at] > MAX_REGISTER) {
        return false;
      }
      minCount += bytes[at] == min ? 1 : 0;
      powers += Math.scalb(1.0, -bytes[at]);
    }
    double low = Double.longBitsToDouble(LittleEndian.getLong(bytes, 16));
    double high = Double.longBitsToDouble(LittleEndian.getLong(bytes, 24));
    return LittleEndian.getInt(bytes, 32) == minCount && Math.abs(low + high - powers) < 1e-6;
  }

  /** Adds a value that is not NULL, in cell form. */
  public void add(DataType type, byte[] cell) {
    switch (type) {
      case FLOAT -> sketch.update((double) Float.intBitsToFloat(LittleEndian.getInt(cell, 0)));
      case DOUBLE -> sketch.update(Double.longBitsToDouble(LittleEndian.getLong(cell, 0)));
      default -> {
        if (isInteger(type)) {
          sketch.update(integer(cell));
        } else {
          add(cell);
        }
      }
    }
  }

  private static long integer(byte[] cell) {
    return switch (cell.length) {
      case Byte.BYTES -> cell[0];
      case Short.BYTES -> LittleEndian.getShort(cell, 0);
      case Integer.BYTES -> LittleEndian.getInt(cell, 0);
      default -> LittleEndian.getLong(cell, 0);
    };
  }

  /**
   * Adds a value that is not NULL, in cell form.
   *
   * @param address the address of the cell in memory
   */
  public void add(DataType type, long address, int length) {
    switch (type) {
      case FLOAT -> sketch.update((double) Float.intBitsToFloat(Memory.getInt(address)));
      case DOUBLE -> sketch.update(Double.longBitsToDouble(Memory.getLong(address)));
      default -> {
        if (isInteger(type)) {
          sketch.update(integer(address, length));
        } else {
          byte[] cell = new byte[length];
          Memory.copy(address, cell, 0, length);
          add(cell);
        }
      }
    }
  }

  private static long integer(long address, int length) {
    return switch (length) {
      case Byte.BYTES -> Memory.getByte(address);
      case Short.BYTES -> Memory.getShort(address);
      case Integer.BYTES -> Memory.getInt(address);
      default -> Memory.getLong(address);
    };
  }

  private static boolean isInteger(DataType type) {
    return !type.isVariableLength() && type.width() <= Long.BYTES;
  }

  private void add(byte[] cell) {
    if (cell.length == 0) {
      sketch.update(EMPTY);
    } else {
      sketch.update(cell);
    }
  }

  /** Adds all values of another sketch. */
  public void merge(DistinctSketch other) {
    Union union = new Union(LOG_REGISTERS);
    union.update(sketch);
    union.update(other.sketch);
    sketch = union.getResult(TgtHllType.HLL_8);
  }

  /** The estimated number of different values. */
  public long estimate() {
    return Math.round(
        sketch.getCompositeEstimate()); // unlike others it ignores the order of values
  }

  /** The approximate memory of the sketch. */
  public int memoryBytes() {
    return sketch.getUpdatableSerializationBytes();
  }

  /** The library's compact form. */
  public byte[] toBytes() {
    return sketch.toCompactByteArray();
  }
}
