package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.spark.type.SparkTypes;
import dev.kudu4j.util.CharUtil;
import dev.kudu4j.util.DecimalUtil;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Valid cells of each type, and cells that do not fit. */
class RowCopierTest {
  private static final Schema ALL =
      new Schema(
          List.of(
              column("id", Type.INT32).key(true).build(),
              nullable("b", Type.BOOL),
              nullable("i8", Type.INT8),
              nullable("i16", Type.INT16),
              nullable("i32", Type.INT32),
              nullable("i64", Type.INT64),
              nullable("f", Type.FLOAT),
              nullable("d", Type.DOUBLE),
              nullable("s", Type.STRING),
              column("v", Type.VARCHAR)
                  .typeAttributes(CharUtil.typeAttributes(8))
                  .nullable(true)
                  .build(),
              nullable("bin", Type.BINARY),
              nullable("day", Type.DATE),
              nullable("at", Type.UNIXTIME_MICROS),
              decimal("d9", 9, 2),
              decimal("d18", 18, 6),
              decimal("d38", 38, 10)));

  private static ColumnSchemaBuilder column(String name, Type type) {
    return new ColumnSchemaBuilder(name, type);
  }

  private static dev.kudu4j.ColumnSchema nullable(String name, Type type) {
    return column(name, type).nullable(true).build();
  }

  private static dev.kudu4j.ColumnSchema decimal(String name, int precision, int scale) {
    return column(name, Type.DECIMAL)
        .typeAttributes(DecimalUtil.typeAttributes(precision, scale))
        .nullable(true)
        .build();
  }

  @Property(tries = 300)
  void rowsOfEitherFormAreCopied(@ForAll long seed) {
    Random random = new Random(seed);
    StructType type = SparkTypes.rowType(ALL.getColumns());
    Object[] values = new Object[type.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i > 0 && random.nextInt(6) == 0 ? null : value(type.apply(i).dataType(), random);
    }
    InternalRow generic = new GenericInternalRow(values);
    InternalRow unsafe = UnsafeProjection.create(type).apply(generic);

    PartialRow fromGeneric = copied(type, ALL, generic);
    PartialRow fromUnsafe = copied(type, ALL, unsafe);

    for (int i = 0; i < values.length; i++) {
      assertThat(fromGeneric.isNull(i)).isEqualTo(values[i] == null);
      assertThat(fromGeneric.getObject(i)).isEqualTo(fromUnsafe.getObject(i));
      if (values[i] != null) {
        assertThat(text(fromGeneric, i)).isEqualTo(text(values[i]));
      }
    }
  }

  private static Object value(DataType type, Random random) {
    return switch (type.typeName()) {
      case "boolean" -> random.nextBoolean();
      case "byte" -> (byte) random.nextInt();
      case "short" -> (short) random.nextInt();
      case "integer" -> random.nextInt();
      case "long", "timestamp" -> random.nextLong();
      case "float" -> Float.intBitsToFloat(random.nextInt());
      case "double" -> Double.longBitsToDouble(random.nextLong());
      case "string" -> UTF8String.fromString("äb".repeat(random.nextInt(5)));
      case "binary" -> ("x" + random.nextInt()).getBytes(StandardCharsets.UTF_8);
      case "date" -> random.nextInt(200_000) - 100_000;
      case "decimal(9,2)" -> Decimal.apply(random.nextLong(-999_999_999L, 1_000_000_000L), 9, 2);
      case "decimal(18,6)" ->
          Decimal.apply(
              random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L), 18, 6);
      default -> Decimal.apply(new BigDecimal(new java.math.BigInteger(120, random), 10), 38, 10);
    };
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : value.toString();
  }

  private static String text(PartialRow row, int i) {
    return switch (ALL.getColumnByIndex(i).getType()) {
      case DATE -> Long.toString(row.getDate(i).toLocalDate().toEpochDay());
      case UNIXTIME_MICROS -> Long.toString(row.getLong(i));
      case BINARY -> new String(row.getBinaryCopy(i), StandardCharsets.UTF_8);
      default -> row.getObject(i).toString();
    };
  }

  private static PartialRow copied(StructType from, Schema to, InternalRow row) {
    return copied(from, to, row, RowCopier.Nulls.WRITTEN);
  }

  private static PartialRow copied(
      StructType from, Schema to, InternalRow row, RowCopier.Nulls nulls) {
    PartialRow copy = to.newPartialRow();
    new RowCopier("k.t", from, to, ColumnMatch.of("k.t", from, to).targets(), nulls)
        .copy(row, copy);
    return copy;
  }

  /** One value for one column. */
  private static PartialRow copied(DataType type, Object value, String column) {
    StructType from = new StructType(new StructField[] {field(column, type)});
    return copied(from, ALL, new GenericInternalRow(new Object[] {value}));
  }

  private static StructField field(String name, DataType type) {
    return DataTypes.createStructField(name, type, true);
  }

  @Test
  void integersOfOtherWidthsAreAcceptedIfTheyFit() {
    assertThat(copied(DataTypes.IntegerType, 7, "i64").getLong("i64")).isEqualTo(7);
    assertThat(copied(DataTypes.LongType, -128L, "i8").getByte("i8")).isEqualTo((byte) -128);
    assertThat(copied(DataTypes.ByteType, (byte) 3, "i16").getShort("i16")).isEqualTo((short) 3);
    assertThat(copied(DataTypes.ShortType, (short) 3, "i32").getInt("i32")).isEqualTo(3);

    assertThatThrownBy(() -> copied(DataTypes.IntegerType, 128, "i8"))
        .hasMessage("128 is out of the range of column i8, an int8, of table k.t");
  }

  @Test
  void decimalsOfOtherScalesAreAcceptedIfNothingIsLost() {
    DataType wide = DataTypes.createDecimalType(20, 4);

    assertThat(copied(wide, Decimal.apply("12.5000"), "d9").getDecimal("d9"))
        .isEqualTo(new BigDecimal("12.50"));
    assertThatThrownBy(() -> copied(wide, Decimal.apply("12.5001"), "d9"))
        .hasMessageContaining("12.5001 does not fit column d9, a DECIMAL(9, 2), without rounding");
    assertThatThrownBy(() -> copied(wide, Decimal.apply("12345678.0000"), "d9"))
        .hasMessageContaining("12345678.0000 does not fit column d9");
  }

  @Test
  void textThatIsTooLongIsRejectedAndNotTruncated() {
    assertThatThrownBy(
            () -> copied(DataTypes.StringType, UTF8String.fromString("too long a text"), "v"))
        .hasMessageContaining("15 characters does not fit column v, which takes 8, of table k.t");
  }

  @Test
  void dateBeyondTheYear9999IsRefused() {
    int day = (int) LocalDate.of(10_000, 1, 1).toEpochDay();

    assertThatThrownBy(() -> copied(DataTypes.DateType, day, "day"))
        .hasMessageContaining("out of range")
        .hasMessageContaining("column day");
  }

  @Test
  void nullInANotNullColumnIsReportedWithTheColumn() {
    assertThatThrownBy(() -> copied(DataTypes.IntegerType, null, "id"))
        .hasMessage("Column id of table k.t is NOT NULL, but a row has NULL");
  }

  @Test
  void nullInAKeyIsAnErrorEvenIfNullsAreIgnored() {
    StructType from =
        new StructType(
            new StructField[] {
              field("id", DataTypes.IntegerType), field("s", DataTypes.StringType)
            });

    PartialRow row =
        copied(from, ALL, new GenericInternalRow(new Object[] {1, null}), RowCopier.Nulls.LEFT_OUT);
    assertThat(row.isSet("s")).isFalse();
    assertThatThrownBy(
            () ->
                copied(
                    from,
                    ALL,
                    new GenericInternalRow(new Object[] {null, null}),
                    RowCopier.Nulls.LEFT_OUT))
        .hasMessageContaining("Column id of table k.t is NOT NULL");
  }

  @Test
  void incompatibleTypesAreReported() {
    assertThatThrownBy(() -> copied(DataTypes.StringType, UTF8String.fromString("1"), "i32"))
        .hasMessage(
            "Column i32 is of type STRING in the data, but of type INT32 in table k.t; cast it");
    assertThatThrownBy(() -> copied(DataTypes.DoubleType, 1.0, "f"))
        .hasMessageContaining("DOUBLE in the data, but of type FLOAT");
    assertThatThrownBy(() -> copied(DataTypes.DoubleType, 1.0, "d9"))
        .hasMessageContaining("of type DECIMAL(9, 2) in table k.t");
  }

  @Test
  void columnsAreMatchedByNameAndThenIgnoringCase() {
    Schema schema =
        new Schema(
            List.of(
                column("Id", Type.INT32).key(true).build(),
                nullable("a", Type.INT32),
                nullable("A", Type.INT32)));
    StructType data =
        new StructType(
            new StructField[] {
              field("A", DataTypes.IntegerType),
              field("ID", DataTypes.IntegerType),
              field("a", DataTypes.IntegerType)
            });

    assertThat(ColumnMatch.of("t", data, schema).targets()).containsExactly(2, 0, 1);
    StructType twice =
        new StructType(
            new StructField[] {
              field("Id", DataTypes.IntegerType), field("id", DataTypes.IntegerType)
            });
    assertThatThrownBy(() -> ColumnMatch.of("t", twice, schema).check(WriteOperation.UPSERT, false))
        .hasMessage("Columns Id and id of the data are both column Id of table t");
  }
}
