package dev.kudu4j.common.array;

import dev.kudu4j.common.SampleCells;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The elements of an array for tests.
 *
 * @param elements in cell form; null for NULL
 */
public record SampleArray(DataType type, List<byte[]> elements) {
  public static final List<DataType> ELEMENT_TYPES =
      Arrays.stream(DataType.values()).filter(ArrayCells::supports).toList();

  /** An array of up to 20 elements: often empty, often without NULL. */
  public static SampleArray of(DataType type, RandomGenerator random) {
    List<byte[]> elements = new ArrayList<>();
    int nullPercent = random.nextInt(3) * 40;
    for (int i = random.nextInt(20) - 4; i > 0; i--) {
      elements.add(random.nextInt(100) < nullPercent ? null : SampleCells.of(type, random));
    }
    return new SampleArray(type, elements);
  }

  /** The cell, written by the writer for the type. */
  public byte[] write() {
    boolean[] validity = validity();
    int count = elements.size();
    switch (type) {
      case STRING, VARCHAR, BINARY -> {
        return ArrayCellWriter.write(type, elements.toArray(new byte[0][]), validity);
      }
      case FLOAT -> {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = Float.intBitsToFloat((int) number(i));
        }
        return ArrayCellWriter.write(values, validity);
      }
      case DOUBLE -> {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
          values[i] = Double.longBitsToDouble(number(i));
        }
        return ArrayCellWriter.write(values, validity);
      }
      default -> {
        return writeIntegers(validity);
      }
    }
  }

  private byte[] writeIntegers(boolean[] validity) {
    int count = elements.size();
    switch (type.width()) {
      case 1 -> {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
          values[i] = (byte) number(i);
        }
        return ArrayCellWriter.write(type, values, validity);
      }
      case 2 -> {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
          values[i] = (short) number(i);
        }
        return ArrayCellWriter.write(type, values, validity);
      }
      case 4 -> {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
          values[i] = (int) number(i);
        }
        return ArrayCellWriter.write(type, values, validity);
      }
      default -> {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
          values[i] = number(i);
        }
        return ArrayCellWriter.write(type, values, validity);
      }
    }
  }

  boolean[] validity() {
    boolean[] validity = new boolean[elements.size()];
    for (int i = 0; i < validity.length; i++) {
      validity[i] = elements.get(i) != null;
    }
    return validity;
  }

  boolean hasNulls() {
    return elements.contains(null);
  }

  /** The bits of a fixed-width element; arbitrary for NULL. */
  long number(int element) {
    byte[] cell = elements.get(element);
    return cell == null ? -1 : LittleEndian.getLong(Arrays.copyOf(cell, 8), 0);
  }
}
