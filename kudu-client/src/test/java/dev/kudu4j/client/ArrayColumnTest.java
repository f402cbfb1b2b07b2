package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.util.CharUtil;
import dev.kudu4j.util.DecimalUtil;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayColumnTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
              array("bool", Type.BOOL, null),
              array("int8", Type.INT8, null),
              array("int16", Type.INT16, null),
              array("int32", Type.INT32, null),
              array("int64", Type.INT64, null),
              array("float", Type.FLOAT, null),
              array("double", Type.DOUBLE, null),
              array("string", Type.STRING, null),
              array("varchar", Type.VARCHAR, CharUtil.typeAttributes(3)),
              array("binary", Type.BINARY, null),
              array("date", Type.DATE, null),
              array("time", Type.UNIXTIME_MICROS, null),
              array("small", Type.DECIMAL, DecimalUtil.typeAttributes(9, 2)),
              array("large", Type.DECIMAL, DecimalUtil.typeAttributes(18, 4))));

  private static ColumnSchema array(String name, Type element, ColumnTypeAttributes attributes) {
    return new ColumnSchemaBuilder(name, element)
        .typeAttributes(attributes)
        .array(true)
        .nullable(true)
        .build();
  }

  private final PartialRow row = SCHEMA.newPartialRow();

  @Test
  void arraysOfEveryTypeAreReadAsBoxedObjects() {
    boolean[] valid = {true, false};
    row.addArrayBool("bool", new boolean[] {true, true}, valid);
    row.addArrayInt8("int8", new byte[] {-1, 2}, valid);
    row.addArrayInt16("int16", new short[] {-1, 2}, valid);
    row.addArrayInt32("int32", new int[] {-1, 2}, valid);
    row.addArrayInt64("int64", new long[] {-1, 2}, valid);
    row.addArrayFloat("float", new float[] {-1, 2}, valid);
    row.addArrayDouble("double", new double[] {-1, 2}, valid);
    row.addArrayString("string", new String[] {"a", "b"}, valid);
    row.addArrayVarchar("varchar", new String[] {"a\uD83D\uDE00cd", null});
    row.addArrayBinary("binary", new byte[][] {{1}, null});
    row.addArrayDate("date", new Date[] {Date.valueOf("2020-02-29"), null});
    row.addArrayTimestamp("time", new Timestamp[] {new Timestamp(5), null});
    row.addArrayDecimal("small", new BigDecimal[] {new BigDecimal("1.5"), null});
    row.addArrayDecimal("large", new BigDecimal[] {new BigDecimal("-123456789012.3"), null});

    assertThat(row.getArrayData("bool")).isEqualTo(new Boolean[] {true, null});
    assertThat(row.getArrayData("int8")).isEqualTo(new Byte[] {-1, null});
    assertThat(row.getArrayData("int16")).isEqualTo(new Short[] {-1, null});
    assertThat(row.getArrayData("int32")).isEqualTo(new Integer[] {-1, null});
    assertThat(row.getArrayData("int64")).isEqualTo(new Long[] {-1L, null});
    assertThat(row.getArrayData("float")).isEqualTo(new Float[] {-1f, null});
    assertThat(row.getArrayData("double")).isEqualTo(new Double[] {-1d, null});
    assertThat(row.getArrayData("string")).isEqualTo(new String[] {"a", null});
    assertThat(row.getArrayData("varchar"))
        .isEqualTo(new String[] {"a\uD83D\uDE00c", null}); // three characters
    assertThat(row.getArrayData("binary")).isEqualTo(new byte[][] {{1}, null});
    assertThat(row.getArrayData("date")).isEqualTo(new Date[] {Date.valueOf("2020-02-29"), null});
    assertThat(row.getArrayData("time")).isEqualTo(new Timestamp[] {new Timestamp(5), null});
    assertThat(row.getArrayData("small"))
        .isEqualTo(new BigDecimal[] {new BigDecimal("1.50"), null});
    assertThat(row.getObject("large"))
        .isEqualTo(new BigDecimal[] {new BigDecimal("-123456789012.3000"), null});
    assertThat(row)
        .hasToString(
            "(bool[] bool=[true, NULL], int8[] int8=[-1, NULL], int16[] int16=[-1, NULL],"
                + " int32[] int32=[-1, NULL], int64[] int64=[-1, NULL], float[] float=[-1.0, NULL],"
                + " double[] double=[-1.0, NULL], string[] string=[a, NULL],"
                + " varchar(3)[] varchar=[a\uD83D\uDE00c, NULL], binary[] binary=[\"\\x01\", NULL],"
                + " date[] date=[2020-02-29, NULL],"
                + " unixtime_micros[] time=[1970-01-01T00:00:00.005000Z, NULL],"
                + " decimal(9, 2)[] small=[1.50, NULL],"
                + " decimal(18, 4)[] large=[-123456789012.3000, NULL])");
  }

  @Test
  void primitiveArraysOfDaysMicrosecondsAndUnscaledValuesAreAccepted() {
    row.addArrayInt32("date", new int[] {0});
    row.addArrayInt64("time", new long[] {1_000});
    row.addArrayInt32("small", new int[] {150});
    row.addArrayInt64("large", new long[] {-1});
    assertThat(row.getArrayData("date")).isEqualTo(new Date[] {Date.valueOf("1970-01-01")});
    assertThat(row.getArrayData("time")).isEqualTo(new Timestamp[] {new Timestamp(1)});
    assertThat(row.getArrayData("small")).isEqualTo(new BigDecimal[] {new BigDecimal("1.50")});
    assertThat(row.getArrayData("large")).isEqualTo(new BigDecimal[] {new BigDecimal("-0.0001")});
  }

  /** Arrays that could be stored but not be read again. */
  @Test
  void daysAndUnscaledValuesOutOfRangeAreRejected() {
    assertThatThrownBy(() -> row.addArrayInt32("date", new int[] {0, Integer.MAX_VALUE}))
        .hasMessageContaining("out of range");
    assertThatThrownBy(() -> row.addArrayInt32("small", new int[] {1_000_000_000}))
        .hasMessageContaining("Element 0 of column small is 1000000000");
    assertThatThrownBy(() -> row.addArrayInt64("large", new long[] {0, Long.MIN_VALUE}))
        .hasMessageContaining("Element 1 of column large");
    row.addArrayInt32("date", new int[] {0, Integer.MAX_VALUE}, new boolean[] {true, false});
    row.addArrayInt32("small", new int[] {-999_999_999});
  }

  @Test
  void nullAndEmptyArraysDiffer() {
    row.addArrayInt32("int32", null);
    row.addArrayInt64("int64", new long[0]);
    assertThat(row.isNull("int32")).isTrue();
    assertThat(row.getArrayData("int32")).isNull();
    assertThat(row.getArrayData("int64")).isEqualTo(new Long[0]);
    assertThat(row.getArrayData("bool")).isNull(); // not set
  }

  @Test
  void validityFollowsTheRulesOfApacheKudu() {
    row.addArrayString("string", new String[] {"a", null, "c"}, new boolean[] {true, true, false});
    assertThat(row.getArrayData("string")).isEqualTo(new String[] {"a", null, null});
    row.addArrayString("string", new String[] {"a"}, new boolean[0]);
    assertThat(row.getArrayData("string")).isEqualTo(new String[] {"a"});
    assertThatThrownBy(() -> row.addArrayString("string", new String[] {"a", null}, new boolean[0]))
        .hasMessage("Empty validity vector provided, but values[1] is null");
    assertThatThrownBy(() -> row.addArrayInt32("int32", new int[2], new boolean[3]))
        .hasMessage("validity length mismatch: 3 vs 2");
  }

  @Test
  void arraysOfAnotherTypeAreRejected() {
    assertThatThrownBy(() -> row.addArrayInt32("int64", new int[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Column int64 takes arrays of INT64, not int[]");
    assertThatThrownBy(() -> row.addArrayInt32("float", new int[1]))
        .hasMessage("Column float takes arrays of FLOAT, not int[]");
    assertThatThrownBy(() -> row.addObject("string", new Object[] {"a", 5}))
        .hasMessage("Column string takes arrays of STRING, not Object[] of [String, Integer]");
    assertThatThrownBy(() -> row.addObject("string", "a"))
        .hasMessage("Column string takes arrays of STRING, not String");
    assertThatThrownBy(() -> row.addArrayInt32("id", new int[1]))
        .hasMessageContaining("id isn't [Type: nested]");
    assertThatThrownBy(() -> row.addBinary("binary", new byte[1]))
        .hasMessageContaining("binary isn't [Type: binary]");
    assertThatThrownBy(
            () -> row.addArrayDecimal("small", new BigDecimal[] {BigDecimal.valueOf(1, 3)}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void viewsReadElementsInPlace() {
    row.addArrayInt32("int32", new int[] {7, 8}, new boolean[] {true, false});
    ArrayCellView view = view("int32");
    assertThat(view.length()).isEqualTo(2);
    assertThat(view.isValid(0)).isTrue();
    assertThat(view.isValid(1)).isFalse();
    assertThat(view.getInt32(0)).isEqualTo(7);
    assertThat(view.array()[view.offset(0)]).isEqualTo((byte) 7);
    assertThat(view.length(0)).isEqualTo(4);
    assertThatThrownBy(() -> view.getInt32(1)).hasMessage("Element 1 of column int32 is NULL");
    assertThatThrownBy(() -> view.getInt32(2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("The array of column int32 has 2 elements, not element 2");
    assertThatThrownBy(() -> view.getInt64(0))
        .hasMessage("The elements of column int32 are of type INT32");
    row.addArrayString("string", new String[] {"é"});
    assertThat(view("string").getString(0)).isEqualTo("é");
    assertThat(view("string").getBinary(0)).hasSize(2);
    row.addArrayDecimal("large", new BigDecimal[] {new BigDecimal("2.5")});
    assertThat(view("large").getDecimal(0)).isEqualTo(new BigDecimal("2.5000"));
    assertThat(view("large").getInt64(0)).isEqualTo(25_000);
  }

  @Test
  void textsAreEncodedAsUtf8() {
    row.addArrayBinary("string", new byte[][] {{(byte) 0xc3, (byte) 0xa9}, null});
    assertThat(view("string").getString(0)).isEqualTo("é");
    assertThat(view("string").isValid(1)).isFalse();
    byte[] tooLong = "x".repeat(1000).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> row.addArrayBinary("varchar", new byte[][] {tooLong}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A text of 1000 characters does not fit column varchar");
  }

  private ArrayCellView view(String column) {
    int index = SCHEMA.getColumnIndex(column);
    return new ArrayCellView(
        SCHEMA.getColumnByIndex(index),
        row.cellArray(index),
        row.cellOffset(index),
        row.cellLength(index));
  }

  @Test
  void malformedCellsAreReported() {
    row.setCell(SCHEMA.getColumnIndex("int32"), new byte[3]);
    assertThatThrownBy(() -> row.getArrayData("int32"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Column int32: corrupted array cell data: ");
  }

  @Test
  void columnsDescribeTheirElements() {
    ColumnSchema column = SCHEMA.getColumn("small");
    assertThat(column.getType()).isEqualTo(Type.NESTED);
    assertThat(column.isArray()).isTrue();
    assertThat(column.isNestedType()).isTrue();
    assertThat(column.getNestedTypeDescriptor().getArrayDescriptor().getElemType())
        .isEqualTo(Type.DECIMAL);
    assertThat(column.getTypeAttributes().getScale()).isEqualTo(2);
    assertThat(column)
        .hasToString("Column name: small, type: decimal(9, 2) 1D-ARRAY")
        .isEqualTo(new ColumnSchemaBuilder(column).build())
        .isEqualTo(ColumnSchema.of(column.toCommon()))
        .isNotEqualTo(new ColumnSchemaBuilder(column).array(false).build())
        .isNotEqualTo(array("small", Type.INT32, null));
    assertThat(SCHEMA.getColumn("id").getNestedTypeDescriptor()).isNull();
    assertThat(SCHEMA.hasNestedTypeColumns()).isTrue();
    assertThat(SCHEMA.getRowKeyProjection().hasNestedTypeColumns()).isFalse();
  }

  @Test
  void arrayColumnsHaveNoKeysDefaultsAndComparisons() {
    assertThatThrownBy(() -> new ColumnSchemaBuilder("a", Type.NESTED))
        .hasMessageContaining("use ColumnSchemaBuilder.array(true)");
    assertThatThrownBy(() -> new ColumnSchemaBuilder("a", Type.INT8).array(true).key(true).build())
        .hasMessage("Array type column: a cannot be a key column");
    assertThatThrownBy(
            () ->
                new ColumnSchemaBuilder("a", Type.INT8)
                    .array(true)
                    .defaultValue(new byte[0])
                    .build())
        .hasMessage("Array type column: a cannot have a default value");
    assertThatThrownBy(() -> new ColumnSchemaBuilder("a", Type.VARCHAR).array(true).build())
        .hasMessageContaining("VARCHAR's length must be set");
    ColumnSchema column = SCHEMA.getColumn("int32");
    assertThatThrownBy(() -> KuduPredicate.newComparisonPredicate(column, ComparisonOp.EQUAL, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KuduPredicate.newInListPredicate(column, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(KuduPredicate.newIsNullPredicate(column)).hasToString("`int32` IS NULL");
  }

  @Test
  void requestsWithArraysRequireTheFeature() {
    assertThat(new CreateTableOptions().requiredFeatures(SCHEMA))
        .contains(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
    assertThat(new CreateTableOptions().requiredFeatures(SCHEMA.getRowKeyProjection()))
        .doesNotContain(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
    assertThat(new AlterTableOptions().addNullableArrayColumn("a", Type.INT8).requiredFeatures())
        .contains(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
    assertThat(new AlterTableOptions().addNullableColumn("a", Type.INT8).requiredFeatures())
        .doesNotContain(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
  }
}
