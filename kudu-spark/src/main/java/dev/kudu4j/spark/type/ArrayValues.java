package dev.kudu4j.spark.type;

import dev.kudu4j.client.ArrayCellView;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts arrays of the client to the internal form of Spark. */
final class ArrayValues {
  private ArrayValues() {}

  static GenericArrayData of(ArrayCellView array, DataType element) {
    Object[] values = new Object[array.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.isValid(i) ? element(array, i, element) : null;
    }
    return new GenericArrayData(values);
  }

  private static Object element(ArrayCellView array, int at, DataType type) {
    if (type instanceof BooleanType) {
      return array.getBoolean(at);
    } else if (type instanceof ByteType) {
      return array.getInt8(at);
    } else if (type instanceof ShortType) {
      return array.getInt16(at);
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return array.getInt32(at);
    } else if (type instanceof FloatType) {
      return array.getFloat(at);
    } else if (type instanceof DoubleType) {
      return array.getDouble(at);
    } else if (type instanceof DecimalType decimal) {
      return Decimal.apply(array.getDecimal(at), decimal.precision(), decimal.scale());
    } else if (type instanceof BinaryType) {
      return array.getBinary(at);
    }
    return type instanceof StringType
        ? UTF8String.fromString(array.getString(at))
        : (Object) array.getInt64(at);
  }
}
