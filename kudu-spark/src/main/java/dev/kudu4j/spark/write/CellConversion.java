package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Conversions of Spark values to Kudu cells, named after Spark's type. Only lossless conversions
 * are supported. A conversion to a narrower integer checks each value. A timestamp is not converted
 * to or from one without time zone, since that depends on the time zone of the session.
 */
enum CellConversion {
  BOOLEAN,
  BYTE,
  SHORT,
  INT,
  LONG,
  /** An integer whose width differs from that of the column. */
  INTEGER_OF_OTHER_WIDTH,
  FLOAT,
  FLOAT_TO_DOUBLE,
  DOUBLE,
  DECIMAL,
  STRING,
  VARCHAR,
  BINARY,
  DATE,
  TIMESTAMP,
  /** An array whose elements have a conversion. */
  ARRAY;

  /** The conversion from a type of Spark to the type of a column; empty if none is supported. */
  static Optional<CellConversion> of(DataType from, ColumnSchema to) {
    return Optional.ofNullable(
        switch (to.getType()) {
          case BOOL -> from instanceof BooleanType ? BOOLEAN : null;
          case INT8 -> integer(from, from instanceof ByteType, BYTE);
          case INT16 -> integer(from, from instanceof ShortType, SHORT);
          case INT32 -> integer(from, from instanceof IntegerType, INT);
          case INT64 -> integer(from, from instanceof LongType, LONG);
          case FLOAT -> from instanceof FloatType ? FLOAT : null;
          case DOUBLE ->
              from instanceof DoubleType
                  ? DOUBLE
                  : from instanceof FloatType ? FLOAT_TO_DOUBLE : null;
          case DECIMAL -> from instanceof DecimalType ? DECIMAL : null;
          case STRING -> from instanceof StringType ? STRING : null;
          case VARCHAR -> from instanceof StringType ? VARCHAR : null;
          case BINARY -> from instanceof BinaryType ? BINARY : null;
          case DATE -> from instanceof DateType ? DATE : null;
          case UNIXTIME_MICROS ->
              (to.isWithoutTimeZone()
                      ? from instanceof TimestampNTZType
                      : from instanceof TimestampType)
                  ? TIMESTAMP
                  : null;
          case NESTED ->
              from instanceof ArrayType array
                      && of(array.elementType(), SparkTypes.element(to)).isPresent()
                  ? ARRAY
                  : null;
        });
  }

  private static CellConversion integer(DataType from, boolean same, CellConversion conversion) {
    return same ? conversion : isInteger(from) ? INTEGER_OF_OTHER_WIDTH : null;
  }

  private static boolean isInteger(DataType type) {
    return type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof LongType;
  }
}
