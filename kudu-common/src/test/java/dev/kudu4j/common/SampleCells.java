package dev.kudu4j.common;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Cells for property tests: often small, equal, or at the ends of their type. */
public final class SampleCells {
  public static final List<DataType> KEY_TYPES =
      Arrays.stream(DataType.values()).filter(DataType::isKeyable).toList();
  public static final List<DataType> STORED_TYPES =
      Arrays.stream(DataType.values())
          .filter(type -> type != DataType.IS_DELETED && type != DataType.NESTED)
          .toList();

  private SampleCells() {}

  /** A random cell of the type, in cell form. Never a NaN. */
  public static byte[] of(DataType type, RandomGenerator random) {
    if (type.isVariableLength()) {
      byte[] text = new byte[random.nextInt(5)];
      for (int i = 0; i < text.length; i++) {
        text[i] =
            (byte)
                switch (random.nextInt(4)) {
                  case 0 -> 0;
                  case 1 -> 1;
                  case 2 -> 0xff;
                  default -> random.nextInt(256);
                };
      }
      return text;
    }
    if (type == DataType.BOOL) {
      return new byte[] {(byte) random.nextInt(2)};
    }
    int choice = random.nextInt(10);
    if (choice == 0) {
      return CellOrder.minimum(type);
    } else if (choice == 1) {
      return CellOrder.maximum(type);
    }
    byte[] cell = new byte[type.width()];
    if (choice < 6) {
      cell[0] = (byte) random.nextInt(4);
    } else {
      random.nextBytes(cell);
    }
    return CellOrder.isNaN(type, cell, 0) ? new byte[type.width()] : cell;
  }
}
