package dev.kudu4j.tablet.cfile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Cells of test data: byte arrays in cell form, null for NULL. */
public final class ColumnCells {
  /** The distribution of the values, on which encodings depend. */
  public enum Shape {
    RANDOM,
    FEW_DISTINCT,
    RUNS,
    RISING,
    CONSTANT,
    EXTREME,
    /** Text: numbered words in order, with common prefixes and parts. */
    WORDS,
    /** Doubles: mostly amounts with two decimal digits, and a few other values. */
    DECIMALS
  }

  /** The positions of NULLs. */
  public enum Nulls {
    NONE,
    SOME,
    MOST,
    ALL,
    ALTERNATE
  }

  private ColumnCells() {}

  public static List<byte[]> make(
      DataType type, Shape shape, Nulls nulls, int rows, Random random) {
    List<byte[]> cells = new ArrayList<>(rows);
    long value = random.nextLong();
    for (int row = 0; row < rows; row++) {
      value =
          switch (shape) {
            case RANDOM -> random.nextLong();
            case FEW_DISTINCT -> random.nextInt(5) * 0x1234_5678_9abc_def1L;
            case RUNS -> random.nextInt(30) == 0 ? random.nextLong() : value;
            case RISING -> value + random.nextInt(3);
            case CONSTANT -> value;
            case WORDS -> row * 7L;
            case DECIMALS -> decimal(random);
            case EXTREME -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
          };
      byte[] cell =
          shape == Shape.WORDS && type.isVariableLength() ? words(value) : cell(type, value);
      cells.add(isNull(nulls, row, random) ? null : cell);
    }
    return cells;
  }

  private static long decimal(Random random) {
    return random.nextInt(40) == 0
        ? random.nextLong()
        : Double.doubleToRawLongBits((random.nextInt(200_000) - 50_000) / 100.0);
  }

  private static boolean isNull(Nulls nulls, int row, Random random) {
    return switch (nulls) {
      case NONE -> false;
      case SOME -> random.nextInt(4) == 0;
      case MOST -> random.nextInt(20) > 0;
      case ALL -> true;
      case ALTERNATE -> (row & 1) == 0;
    };
  }

  private static byte[] words(long value) {
    String text = "customer#%05d regular deposits %s\u00e9".formatted(value, value % 3 == 0);
    return text.substring(0, (int) Math.min(text.length(), 8 + value % 41)).getBytes(UTF_8);
  }

  private static byte[] cell(DataType type, long value) {
    int length = type.isVariableLength() ? (int) Math.floorMod(value, 41L) : type.width();
    byte[] cell = new byte[length];
    for (int i = 0; i < length; i++) {
      cell[i] = (byte) (i < 8 ? value >>> (8 * i) : value >> 63);
    }
    if (type == DataType.BOOL && length == 1) {
      cell[0] &= 1;
    }
    return cell;
  }

  static void append(List<byte[]> cells, int first, int count, ColumnVector to) {
    for (byte[] cell : cells.subList(first, first + count)) {
      if (cell == null) {
        to.appendNull();
      } else {
        to.append(cell, 0, cell.length);
      }
    }
  }

  static List<byte[]> of(ColumnVector vector) {
    List<byte[]> cells = new ArrayList<>();
    for (int row = 0; row < vector.rowCount(); row++) {
      byte[] cell = new byte[vector.cellLength(row)];
      Memory.copy(vector.cellAddress(row), cell, 0, cell.length);
      if (vector.isNull(row)) {
        for (byte part : cell) {
          if (part != 0) {
            throw new AssertionError("The cell of the NULL in row " + row + " is not cleared");
          }
        }
        cell = null;
      }
      cells.add(cell);
    }
    return cells;
  }
}
