package dev.kudu4j.spark.read;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Selects the vector that reads each received column in place: Arrow's vectors if the wire layout
 * is Arrow's, otherwise this package's own vectors, for booleans of one byte and decimals of 4 or 8
 * bytes. Arrays have vectors of this package, too.
 *
 * @param columns that Spark requests
 * @param tabletIndex the index of {@link TabletColumn}, which is not received; negative if absent
 * @param tablet its value
 */
record ReceivedColumns(StructType columns, int tabletIndex, String tablet) {
  /**
   * @param received its vectors are closed when the result's vectors are closed
   */
  ColumnVector[] wrap(VectorSchemaRoot received) {
    ColumnVector[] vectors = new ColumnVector[columns.length()];
    int next = 0;
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] =
          i == tabletIndex
              ? new TabletVector(tablet)
              : wrap(columns.fields()[i].dataType(), received.getVector(next++));
    }
    return vectors;
  }

  /** A vector that reads a received column as a type. */
  static ColumnVector wrap(DataType type, FieldVector received) {
    if (type.equals(DataTypes.BooleanType)) {
      return new ByteBooleans((BaseFixedWidthVector) received);
    }
    if (type instanceof DecimalType decimal && decimal.precision() <= 9) {
      return new IntDecimals((BaseFixedWidthVector) received, decimal);
    }
    if (type instanceof DecimalType decimal && decimal.precision() <= 18) {
      return new LongDecimals((BaseFixedWidthVector) received, decimal);
    }
    return type instanceof ArrayType array
        ? new ReceivedArrays(array, (ListVector) received)
        : new ArrowColumnVector(received);
  }

  /** A vector that reads the elements of arrays as a type; see {@link ReceivedNumbers}. */
  static ColumnVector elements(DataType type, FieldVector received) {
    boolean number = !type.equals(DataTypes.BooleanType) && !(type instanceof DecimalType);
    return number && received instanceof BaseFixedWidthVector numbers
        ? new ReceivedNumbers(type, numbers)
        : wrap(type, received);
  }
}
