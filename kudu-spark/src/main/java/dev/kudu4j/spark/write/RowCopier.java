package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;

/**
 * Copies Spark rows to rows of a table. The mapping of columns is computed once; a cell is then one
 * load and one store, without boxing.
 *
 * <p>Errors contain the name of the column. The constructor checks the types, and {@link #copy}
 * checks the values.
 */
final class RowCopier {
  /** The handling of NULL. */
  enum Nulls {
    WRITTEN,
    /** The cell stays unset: an upsert or update does not change the column. */
    LEFT_OUT
  }

  private final String table;
  private final Schema schema;
  private final CellConversion[] conversions;
  private final DataType[] types;
  private final ArrayCopier[] arrays; // null for columns of scalars
  private final int[] precisions;
  private final int[] scales;
  private final int[] targets;
  private final Nulls nulls;

  /**
   * @param from the columns of the rows
   * @param targets for each column of {@code from}, the index of its column in {@code to}, or -1 to
   *     ignore the column
   * @throws IllegalArgumentException if types do not match
   */
  RowCopier(String table, StructType from, Schema to, int[] targets, Nulls nulls) {
    this.table = table;
    this.schema = to;
    this.targets = targets.clone();
    this.nulls = nulls;
    this.conversions = new CellConversion[targets.length];
    this.types = new DataType[targets.length];
    this.arrays = new ArrayCopier[targets.length];
    this.precisions = new int[targets.length];
    this.scales = new int[targets.length];
    for (int i = 0; i < targets.length; i++) {
      types[i] = from.apply(i).dataType();
      if (targets[i] >= 0) {
        conversions[i] = conversion(from.apply(i).name(), types[i], targets[i]);
        if (types[i] instanceof ArrayType array) {
          arrays[i] = new ArrayCopier(array, to.getColumnByIndex(targets[i]));
        }
      }
      if (types[i] instanceof DecimalType decimal) {
        precisions[i] = decimal.precision();
        scales[i] = decimal.scale();
      }
    }
  }

  private CellConversion conversion(String name, DataType type, int target) {
    ColumnSchema column = schema.getColumnByIndex(target);
    return CellConversion.of(type, column)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Column "
                        + name
                        + " is of type "
                        + type.sql()
                        + " in the data, but of type "
                        + kuduType(column)
                        + " in table "
                        + table
                        + "; cast it"));
  }

  private static String kuduType(ColumnSchema column) {
    if (column.isArray()) {
      return "array of " + kuduType(SparkTypes.element(column));
    }
    String attributes =
        column.getTypeAttributes() == null
            ? ""
            : column.getTypeAttributes().toStringForType(column.getType());
    String zone = column.isWithoutTimeZone() ? " WITHOUT TIME ZONE" : "";
    return column.getType().getName().toUpperCase(Locale.ROOT) + attributes + zone;
  }

  /**
   * Sets the cells of {@code to}.
   *
   * @throws IllegalArgumentException if a value is invalid for its column
   */
  void copy(InternalRow from, PartialRow to) {
    for (int i = 0; i < targets.length; i++) {
      int target = targets[i];
      if (target < 0) {
        continue;
      }
      if (from.isNullAt(i)) {
        copyNull(target, to);
      } else {
        try {
          copyValue(from, i, to, target);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(e.getMessage() + ", of table " + table, e);
        }
      }
    }
  }

  private void copyNull(int target, PartialRow to) {
    ColumnSchema column = schema.getColumnByIndex(target);
    if (nulls == Nulls.LEFT_OUT && !column.isKey()) {
      return;
    }
    if (!column.isNullable()) {
      throw new IllegalArgumentException(
          "Column " + column.getName() + " of table " + table + " is NOT NULL, but a row has NULL");
    }
    to.setNull(target);
  }

  private void copyValue(InternalRow from, int i, PartialRow to, int target) {
    ColumnSchema column = schema.getColumnByIndex(target);
    switch (conversions[i]) {
      case BOOLEAN -> to.addBoolean(target, from.getBoolean(i));
      case BYTE -> to.addByte(target, from.getByte(i));
      case SHORT -> to.addShort(target, from.getShort(i));
      case INT -> to.addInt(target, from.getInt(i));
      case LONG, TIMESTAMP -> to.addLong(target, from.getLong(i));
      case INTEGER_OF_OTHER_WIDTH ->
          copyInteger(
              CheckedValues.integer(from, i, types[i], column), to, target, column.getType());
      case FLOAT -> to.addFloat(target, from.getFloat(i));
      case FLOAT_TO_DOUBLE -> to.addDouble(target, from.getFloat(i));
      case DOUBLE -> to.addDouble(target, from.getDouble(i));
      case DECIMAL -> copyDecimal(from.getDecimal(i, precisions[i], scales[i]), to, target, column);
      case STRING -> to.addStringUtf8(target, from.getUTF8String(i).getBytes());
      case VARCHAR -> to.addVarcharUtf8(target, from.getUTF8String(i).getBytes());
      case BINARY -> to.addBinary(target, from.getBinary(i));
      case DATE -> to.addDateDays(target, CheckedValues.date(from.getInt(i), column));
      case ARRAY -> arrays[i].copy(from.getArray(i), to, target);
    }
  }

  private static void copyInteger(long value, PartialRow to, int target, Type type) {
    switch (type) {
      case INT8 -> to.addByte(target, (byte) value);
      case INT16 -> to.addShort(target, (short) value);
      case INT32 -> to.addInt(target, (int) value);
      default -> to.addLong(target, value);
    }
  }

  private static void copyDecimal(Decimal value, PartialRow to, int target, ColumnSchema column) {
    Decimal fitting = CheckedValues.decimal(value, column);
    if (column.getTypeAttributes().getPrecision() <= Decimal.MAX_LONG_DIGITS()) {
      to.addDecimalUnscaled(target, fitting.toUnscaledLong());
    } else {
      to.addDecimal(target, fitting.toJavaBigDecimal());
    }
  }
}
