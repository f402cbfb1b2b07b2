package dev.kudu4j.spark.read;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Selects the vector that reads each received column in place: Arrow's vectors if the wire layout
 * is Arrow's, otherwise this package's own vectors, for booleans of one byte and decimals of 4 or 8
 * bytes.
 */
record ReceivedColumns(StructType columns) {
  /**
   * @param received closed with the result
   */
  ColumnVector wrap(int index, FieldVector received) {
    DataType type = columns.fields()[index].dataType();
    if (type.equals(DataTypes.BooleanType)) {
      return new ByteBooleans((BaseFixedWidthVector) received);
    }
    if (type instanceof DecimalType decimal && decimal.precision() <= 9) {
      return new IntDecimals((BaseFixedWidthVector) received, decimal);
    }
    if (type instanceof DecimalType decimal && decimal.precision() <= 18) {
      return new LongDecimals((BaseFixedWidthVector) received, decimal);
    }
    return new ArrowColumnVector(received);
  }
}
