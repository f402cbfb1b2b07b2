package dev.kudu4j.tablet.check;

import dev.kudu4j.common.array.ArrayCellReader;
import dev.kudu4j.common.array.ArrayText;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Formats cells for messages and dumps. */
final class CellFormatter {
  private CellFormatter() {}

  /** The text of a cell in cell form; a null array stands for NULL. */
  static String of(ColumnSchema column, byte @Nullable [] cell) {
    if (cell == null) {
      return "NULL";
    }
    DataType type = column.type();
    return switch (type) {
      case STRING, VARCHAR -> '"' + new String(cell, StandardCharsets.UTF_8) + '"';
      case BINARY -> Hex.of(cell);
      case NESTED -> array(column.element(), cell);
      case BOOL, IS_DELETED -> String.valueOf(cell[0] != 0);
      case FLOAT -> String.valueOf(Float.intBitsToFloat(integer(cell, false).intValue()));
      case DOUBLE -> String.valueOf(Double.longBitsToDouble(integer(cell, false).longValue()));
      case DECIMAL32, DECIMAL64, DECIMAL128 ->
          new BigDecimal(integer(cell, false), column.scale()).toPlainString();
      default -> integer(cell, type.isUnsigned()).toString();
    };
  }

  static String of(ColumnSchema column, ColumnVector cells, int row) {
    if (cells.isNull(row)) {
      return "NULL";
    }
    byte[] cell = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
    return of(column, cell);
  }

  private static String array(ColumnSchema element, byte[] cell) {
    return ArrayText.of(
        new ArrayCellReader(element.type()), cell, value -> CellFormatter.of(element, value));
  }

  private static BigInteger integer(byte[] littleEndian, boolean unsigned) {
    byte[] bigEndian = new byte[littleEndian.length];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[i] = littleEndian[bigEndian.length - 1 - i];
    }
    return unsigned ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian);
  }
}
