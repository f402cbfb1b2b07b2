package dev.kudu4j.spark.type;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.util.CharUtil;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;

/**
 * Converts types and schemas of Kudu to Spark's and back.
 *
 * <pre>
 *   BOOL             boolean          UNIXTIME_MICROS  timestamp
 *   INT8             tinyint          DATE             date
 *   INT16            smallint         DECIMAL(p, s)    decimal(p, s)
 *   INT32            int              STRING           string
 *   INT64            bigint           VARCHAR(n)       varchar(n)
 *   FLOAT, DOUBLE    float, double    BINARY           binary
 * </pre>
 *
 * <p>Arrays of these types are arrays in Kudu, except arrays of timestamp_ntz and of decimals of
 * more than 18 digits.
 *
 * <p>Kudu and Spark both represent timestamps as microseconds since the epoch in UTC, and dates as
 * days; no value needs a conversion. A UNIXTIME_MICROS column without time zone is a timestamp_ntz,
 * whose values Spark represents as the same date-times in UTC. Other Spark types are not supported.
 */
public final class SparkTypes {
  private SparkTypes() {}

  /** The type of a column's values. */
  public static DataType sparkType(ColumnSchema column) {
    return switch (column.getType()) {
      case BOOL -> DataTypes.BooleanType;
      case INT8 -> DataTypes.ByteType;
      case INT16 -> DataTypes.ShortType;
      case INT32 -> DataTypes.IntegerType;
      case INT64 -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case UNIXTIME_MICROS ->
          column.isWithoutTimeZone() ? DataTypes.TimestampNTZType : DataTypes.TimestampType;
      case DATE -> DataTypes.DateType;
      case DECIMAL ->
          DataTypes.createDecimalType(
              column.getTypeAttributes().getPrecision(), column.getTypeAttributes().getScale());
      case STRING -> DataTypes.StringType;
      case VARCHAR -> DataTypes.createVarcharType(column.getTypeAttributes().getLength());
      case BINARY -> DataTypes.BinaryType;
      case NESTED -> DataTypes.createArrayType(sparkType(element(column)));
    };
  }

  /** A scalar column with the name of an array column and the type of its elements. */
  public static ColumnSchema element(ColumnSchema column) {
    return ColumnSchema.of(column.toCommon().element());
  }

  /** The columns of a table. */
  public static Column[] columns(Schema schema) {
    return schema.getColumns().stream().map(SparkTypes::column).toArray(Column[]::new);
  }

  private static Column column(ColumnSchema column) {
    String comment = column.getComment().isEmpty() ? null : column.getComment();
    return Column.create(
        column.getName(),
        sparkType(column),
        column.isNullable(),
        comment,
        ColumnDefaults.of(column),
        null);
  }

  /**
   * A builder of a column with this name and Spark type. Key, default, encoding and other
   * attributes are not set.
   *
   * @throws IllegalArgumentException if Kudu does not have the type
   */
  public static ColumnSchema.ColumnSchemaBuilder kuduColumn(String name, DataType type) {
    if (type instanceof ArrayType array) {
      checkElements(name, array);
      return kuduColumn(name, array.elementType()).array(true);
    }
    ColumnSchema.ColumnSchemaBuilder column =
        new ColumnSchema.ColumnSchemaBuilder(name, kuduType(name, type));
    if (type instanceof DecimalType decimal) {
      column.typeAttributes(
          new ColumnTypeAttributes.ColumnTypeAttributesBuilder()
              .precision(decimal.precision())
              .scale(decimal.scale())
              .build());
    } else if (type instanceof VarcharType varchar) {
      column.typeAttributes(
          new ColumnTypeAttributes.ColumnTypeAttributesBuilder().length(varchar.length()).build());
    }
    return column.withoutTimeZone(type instanceof TimestampNTZType);
  }

  private static void checkElements(String name, ArrayType array) {
    DataType element = array.elementType();
    if (element instanceof TimestampNTZType) {
      throw refused(name, array, "use ARRAY<TIMESTAMP>");
    } else if (element instanceof DecimalType decimal
        && decimal.precision() > Decimal.MAX_LONG_DIGITS()) {
      throw refused(name, array, "use decimals of at most 18 digits as elements");
    } else if (element instanceof ArrayType
        || element instanceof MapType
        || element instanceof StructType) {
      throw refused(name, array, "the elements of an array must be scalars");
    }
  }

  private static IllegalArgumentException refused(String name, DataType type, String wayOut) {
    return new IllegalArgumentException(
        "Column " + name + " is of type " + type.sql() + ", which Kudu does not have; " + wayOut);
  }

  private static Type kuduType(String name, DataType type) {
    if (type instanceof BooleanType) {
      return Type.BOOL;
    } else if (type instanceof ByteType) {
      return Type.INT8;
    } else if (type instanceof ShortType) {
      return Type.INT16;
    } else if (type instanceof IntegerType) {
      return Type.INT32;
    } else if (type instanceof LongType) {
      return Type.INT64;
    } else if (type instanceof FloatType) {
      return Type.FLOAT;
    } else if (type instanceof DoubleType) {
      return Type.DOUBLE;
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return Type.UNIXTIME_MICROS;
    } else if (type instanceof DateType) {
      return Type.DATE;
    } else if (type instanceof DecimalType) {
      return Type.DECIMAL;
    } else if (type instanceof BinaryType) {
      return Type.BINARY;
    } else if (type instanceof VarcharType varchar
        && varchar.length() <= CharUtil.MAX_VARCHAR_LENGTH) {
      return Type.VARCHAR;
    } else if (type instanceof StringType
        && !(type instanceof CharType)
        && !(type instanceof VarcharType)
        && type.equals(DataTypes.StringType)) {
      return Type.STRING;
    }
    throw refused(name, type, alternative(type));
  }

  private static String alternative(DataType type) {
    if (type instanceof VarcharType || type instanceof CharType) {
      return "use STRING, or VARCHAR of at most " + CharUtil.MAX_VARCHAR_LENGTH;
    }
    return type instanceof StringType
        ? "use STRING without COLLATE, since the servers compare bytes"
        : "use one of BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, DATE,"
            + " TIMESTAMP, TIMESTAMP_NTZ, STRING, VARCHAR, BINARY, or ARRAY of one of these";
  }

  /**
   * The type of the values, as batches contain them: VARCHAR is STRING everywhere in Spark except
   * in a table's definition.
   */
  public static DataType valueType(ColumnSchema column) {
    if (column.isArray()) {
      return DataTypes.createArrayType(valueType(element(column)));
    }
    return column.getType() == Type.VARCHAR ? DataTypes.StringType : sparkType(column);
  }

  /** Columns of a table as the schema of rows. */
  public static StructType rowType(Iterable<ColumnSchema> columns) {
    StructType type = new StructType();
    for (ColumnSchema column : columns) {
      type =
          type.add(
              new StructField(
                  column.getName(),
                  valueType(column),
                  column.isNullable(),
                  new MetadataBuilder().build()));
    }
    return type;
  }
}
