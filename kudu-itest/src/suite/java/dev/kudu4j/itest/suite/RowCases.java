package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows as objects of the caller: rows to be written, and rows that were read. */
abstract class RowCases extends ClientCase {
  private static Schema allTypes() {
    return schema(
        key("k", Type.INT32),
        nullable("bool", Type.BOOL),
        nullable("int8", Type.INT8),
        nullable("int16", Type.INT16),
        nullable("int64", Type.INT64),
        nullable("float", Type.FLOAT),
        nullable("double", Type.DOUBLE),
        nullable("string", Type.STRING),
        nullable("binary", Type.BINARY),
        nullable("time", Type.UNIXTIME_MICROS),
        nullable("date", Type.DATE),
        decimal("decimal", 12, 2).nullable(true).build(),
        varchar("varchar", 10).nullable(true).build());
  }

  private static final Timestamp TIME = Timestamp.valueOf("2026-11-21 08:30:00.123456");
  private static final Date DATE = Date.valueOf("2026-11-21");
  private static final BigDecimal DECIMAL = new BigDecimal("-12.34");

  private static PartialRow fillAll(PartialRow row) {
    row.addInt("k", 1);
    row.addBoolean("bool", true);
    row.addByte("int8", (byte) -8);
    row.addShort("int16", (short) -16);
    row.addLong("int64", -64L);
    row.addFloat("float", 1.5f);
    row.addDouble("double", -2.5);
    row.addString("string", "text");
    row.addBinary("binary", new byte[] {1, 2, 3});
    row.addTimestamp("time", TIME);
    row.addDate("date", DATE);
    row.addDecimal("decimal", DECIMAL);
    row.addVarchar("varchar", "char");
    return row;
  }

  @Test
  void aRowToWriteCanBeReadBack() {
    PartialRow row = fillAll(allTypes().newPartialRow());
    assertThat(row.getInt("k")).isEqualTo(1);
    assertThat(row.getBoolean(1)).isTrue();
    assertThat(row.getByte("int8")).isEqualTo((byte) -8);
    assertThat(row.getShort(3)).isEqualTo((short) -16);
    assertThat(row.getLong("int64")).isEqualTo(-64L);
    assertThat(row.getFloat("float")).isEqualTo(1.5f);
    assertThat(row.getDouble("double")).isEqualTo(-2.5);
    assertThat(row.getString("string")).isEqualTo("text");
    assertThat(row.getBinaryCopy("binary")).containsExactly(1, 2, 3);
    assertThat(row.getBinary("binary").remaining()).isEqualTo(3);
    assertThat(row.getTimestamp("time")).isEqualTo(TIME);
    assertThat(row.getDate("date")).isEqualTo(DATE);
    assertThat(row.getDecimal("decimal")).isEqualTo(DECIMAL);
    assertThat(row.getVarchar("varchar")).isEqualTo("char");
    assertThat(row.getObject("int16")).isEqualTo((short) -16);
    assertThat(row.getSchema().getColumnCount()).isEqualTo(13);
  }

  @Test
  void cellsAreUnsetNullOrSet() {
    PartialRow row = keyAndValue().newPartialRow();
    assertThat(row.isSet("v")).isFalse();
    row.setNull("v");
    assertThat(row.isSet("v")).isTrue();
    assertThat(row.isNull("v")).isTrue();
    assertThat(row.isSet(0)).isFalse();
    assertThatThrownBy(() -> row.getInt("k")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cellsOfAnotherTypeAreRejected() {
    PartialRow row = keyAndValue().newPartialRow();
    rejected(() -> row.addString("v", "x"), "string", "int32");
    rejected(() -> row.addLong("v", 1L), "int64", "int32");
    rejected(() -> row.addObject("v", "x"));
    rejected(() -> row.addInt("nope", 1), "nope");
    assertThatThrownBy(() -> row.addInt(2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void nullNeedsANullableColumn() {
    PartialRow row = schema(key("k", Type.INT32), column("w", Type.STRING).build()).newPartialRow();
    for (String column : List.of("k", "w")) {
      assertThatThrownBy(() -> row.setNull(column))
          .isInstanceOfAny(IllegalArgumentException.class, AssertionError.class);
      assertThat(row.isSet(column)).isFalse();
    }
  }

  @Test
  void valuesThatDoNotFitAreRejected() {
    PartialRow row = allTypes().newPartialRow();
    rejected(() -> row.addDecimal("decimal", new BigDecimal("12345678901.00")), "precision");
    rejected(() -> row.addDecimal("decimal", new BigDecimal("1.001")), "scale");
    rejected(() -> row.addDate("date", new Date(Long.MAX_VALUE / 2)), "range");
    row.addVarchar("varchar", "0123456789ABC");
    assertThat(row.getVarchar("varchar")).isEqualTo("0123456789");
    row.addDecimal("decimal", new BigDecimal("1"));
    assertThat(row.getDecimal("decimal")).isEqualTo(new BigDecimal("1.00"));
  }

  @Test
  void bytesAreAcceptedAsArraysAndBuffers() throws Exception {
    KuduTable table =
        create(schema(key("k", Type.BINARY), nullable("s", Type.STRING)), oneTablet());
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}, 1, 2);
    var insert = table.newInsert();
    insert.getRow().addBinary("k", buffer.slice());
    insert.getRow().addStringUtf8("s", "ä".getBytes(StandardCharsets.UTF_8));
    assertThat(apply(insert).get(0)).isEqualTo("ok");
    KuduScanner scanner = client.newScannerBuilder(table).build();
    RowResult row = scanner.nextRows().next();
    assertThat(row.getBinaryCopy("k")).containsExactly(1, 2);
    assertThat(row.getString("s")).isEqualTo("ä");
    scanner.close();
  }

  @Test
  void rowsToWritePrintTheirKeyAndCells() {
    Schema schema = schema(key("a", Type.INT32), key("b", Type.STRING), nullable("v", Type.INT64));
    PartialRow row = row(schema, "a", 1, "b", "x");
    assertThat(row.stringifyRowKey()).isEqualTo("(int32 a=1, string b=\"x\")");
    assertThat(row.toString()).isEqualTo("(int32 a=1, string b=\"x\")");
    row.addLong("v", 5L);
    assertThat(row.toString()).isEqualTo("(int32 a=1, string b=\"x\", int64 v=5)");
    assertThat(schema.newPartialRow().toString()).isEqualTo("()");
  }

  @Test
  void encodedKeysAreComparedAsBytes() {
    Schema schema = schema(key("a", Type.INT32), key("b", Type.STRING));
    byte[] low = row(schema, "a", -1, "b", "z").encodePrimaryKey();
    byte[] middle = row(schema, "a", 0, "b", "").encodePrimaryKey();
    byte[] high = row(schema, "a", 0, "b", "a").encodePrimaryKey();
    assertThat(Arrays.compareUnsigned(low, middle)).isNegative();
    assertThat(Arrays.compareUnsigned(middle, high)).isNegative();
    assertThat(middle).containsExactly(0x80, 0, 0, 0);
  }

  @Test
  void cellsAreReadByNameAndIndexInBothLayouts() throws Exception {
    KuduTable table = create(allTypes(), oneTablet());
    var insert = table.newInsert();
    fillAll(insert.getRow());
    assertThat(apply(insert).get(0)).isEqualTo("ok");
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner = client.newScannerBuilder(table).build();
      scanner.setRowDataFormat(format);
      RowResult row = scanner.nextRows().next();
      assertThat(row.getInt("k")).isEqualTo(row.getInt(0)).isEqualTo(1);
      assertThat(row.getBoolean("bool")).isTrue();
      assertThat(row.getByte("int8")).isEqualTo(row.getByte(2)).isEqualTo((byte) -8);
      assertThat(row.getShort("int16")).isEqualTo((short) -16);
      assertThat(row.getLong("int64")).isEqualTo(row.getLong(4)).isEqualTo(-64L);
      assertThat(row.getFloat("float")).isEqualTo(1.5f);
      assertThat(row.getDouble("double")).isEqualTo(-2.5);
      assertThat(row.getString("string")).isEqualTo(row.getString(7)).isEqualTo("text");
      assertThat(row.getBinaryCopy("binary")).containsExactly(1, 2, 3);
      assertThat(row.getBinary("binary").remaining()).isEqualTo(3);
      assertThat(row.getTimestamp("time")).isEqualTo(TIME);
      assertThat(row.getDate("date")).hasToString(DATE.toString());
      assertThat(row.getDecimal("decimal")).isEqualTo(DECIMAL);
      assertThat(row.getVarchar("varchar")).isEqualTo("char");
      assertThat(row.getColumnType("date")).isEqualTo(Type.DATE);
      assertThat(row.getColumnType(0)).isEqualTo(Type.INT32);
      assertThat(row.hasIsDeleted()).isFalse();
      scanner.close();
    }
  }

  @Test
  void objectsAreOfTheTypeOfTheirColumn() throws Exception {
    KuduTable table = create(allTypes(), oneTablet());
    var insert = table.newInsert();
    fillAll(insert.getRow());
    apply(insert);
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner = client.newScannerBuilder(table).build();
      scanner.setRowDataFormat(format);
      RowResult row = scanner.nextRows().next();
      List<Class<?>> classes =
          List.of(
              Integer.class,
              Boolean.class,
              Byte.class,
              Short.class,
              Long.class,
              Float.class,
              Double.class,
              String.class,
              byte[].class,
              Timestamp.class,
              Date.class,
              BigDecimal.class,
              String.class);
      for (int i = 0; i < classes.size(); i++) {
        assertThat(row.getObject(i)).isInstanceOf(classes.get(i));
      }
      assertThat(row.getObject("string")).isEqualTo("text");
      scanner.close();
    }
  }

  @Test
  void nullCellsAreReportedAsNull() throws Exception {
    KuduTable table = create(allTypes(), oneTablet());
    apply(op(table.newInsert(), "k", 1));
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner = client.newScannerBuilder(table).build();
      scanner.setRowDataFormat(format);
      RowResult row = scanner.nextRows().next();
      assertThat(row.isNull("k")).isFalse();
      for (int i = 1; i < allTypes().getColumnCount(); i++) {
        int index = i;
        assertThat(row.isNull(i)).isTrue();
        assertThat(row.getObject(i)).isNull();
        assertThat(row.getSchema().getColumnByIndex(index).isNullable()).isTrue();
      }
      assertThatThrownBy(() -> row.getString("string"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is null");
      scanner.close();
    }
  }

  @Test
  void readingACellAsAnotherTypeIsRejected() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduScanner scanner = client.newScannerBuilder(table).build();
    RowResult row = scanner.nextRows().next();
    rejected(() -> row.getString("k"), "string", "int32");
    rejected(() -> row.getInt("nope"), "nope");
    assertThatThrownBy(() -> row.getInt(2)).isInstanceOf(IndexOutOfBoundsException.class);
    scanner.close();
  }

  @Test
  void rowsReadPrintTheirCells() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT32), nullable("s", Type.STRING)), oneTablet());
    apply(op(table.newInsert(), "k", 1, "s", "x"));
    KuduScanner scanner = client.newScannerBuilder(table).build();
    RowResult row = scanner.nextRows().next();
    assertThat(row.rowToString()).isEqualTo("INT32 k=1, STRING s=x");
    assertThat(row.toStringLongFormat()).contains("INT32 k=1, STRING s=x");
    scanner.close();
  }

  @Test
  void schemasHaveEqualsAndHashCode() {
    assertThat(keyAndValue()).isEqualTo(keyAndValue()).hasSameHashCodeAs(keyAndValue());
    assertThat(keyAndValue()).isNotEqualTo(schema(key("k", Type.INT32)));
    ColumnSchema v = nullable("v", Type.INT32);
    assertThat(v).isEqualTo(keyAndValue().getColumn("v"));
    assertThat(v.toString()).contains("v", "int32");
    assertThat(keyAndValue().getRowKeyProjection().getColumnCount()).isEqualTo(1);
    rejected(() -> keyAndValue().getColumn("nope"), "nope");
    rejected(() -> schema(key("k", Type.INT32), key("k", Type.INT32)), "k");
  }
}
