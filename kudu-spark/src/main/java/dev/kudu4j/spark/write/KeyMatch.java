package dev.kudu4j.spark.write;

import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Checks whether an update leaves the key of a row unchanged. Compares the cells in place. */
final class KeyMatch {
  private final DataType[] types;
  private final int[] inRow;

  private KeyMatch(DataType[] types, int[] inRow) {
    this.types = types;
    this.inRow = inRow;
  }

  /**
   * @param ids the key columns
   * @param rows all columns; may lack the key columns if a statement only deletes rows
   */
  static KeyMatch of(StructType ids, StructType rows) {
    DataType[] types = new DataType[ids.length()];
    int[] inRow = new int[ids.length()];
    for (int i = 0; i < types.length; i++) {
      types[i] = ids.apply(i).dataType();
      inRow[i] = indexOf(ids.apply(i).name(), rows);
    }
    return new KeyMatch(types, inRow);
  }

  private static int indexOf(String name, StructType rows) {
    String[] names = rows.fieldNames();
    for (int i = 0; i < names.length; i++) {
      if (names[i].toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return i;
      }
    }
    return -1;
  }

  boolean matches(InternalRow id, InternalRow row) {
    for (int i = 0; i < types.length; i++) {
      if (row.isNullAt(inRow[i]) || !sameCell(id, i, row, inRow[i], types[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameCell(InternalRow a, int i, InternalRow b, int j, DataType type) {
    if (type instanceof IntegerType || type instanceof DateType) {
      return a.getInt(i) == b.getInt(j);
    } else if (type instanceof StringType) {
      return a.getUTF8String(i).equals(b.getUTF8String(j));
    } else if (type instanceof ShortType) {
      return a.getShort(i) == b.getShort(j);
    } else if (type instanceof ByteType) {
      return a.getByte(i) == b.getByte(j);
    } else if (type instanceof BooleanType) {
      return a.getBoolean(i) == b.getBoolean(j);
    } else if (type instanceof BinaryType) {
      return Arrays.equals(a.getBinary(i), b.getBinary(j));
    } else if (type instanceof DecimalType decimal) {
      return a.getDecimal(i, decimal.precision(), decimal.scale())
          .equals(b.getDecimal(j, decimal.precision(), decimal.scale()));
    }
    return a.getLong(i) == b.getLong(j); // BIGINT and TIMESTAMP; no other types are left for keys
  }
}
