package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.SampleRows;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.util.CharUtil;
import dev.kudu4j.util.DecimalUtil;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PartialRowTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              column("id", Type.INT32).key(true).build(),
              column("name", Type.STRING).key(true).build(),
              column("i8", Type.INT8).nullable(true).build(),
              column("dec", Type.DECIMAL)
                  .typeAttributes(DecimalUtil.typeAttributes(10, 2))
                  .nullable(true)
                  .build(),
              column("vc", Type.VARCHAR).typeAttributes(CharUtil.typeAttributes(5)).build(),
              column("day", Type.DATE).build(),
              column("at", Type.UNIXTIME_MICROS).build(),
              column("bin", Type.BINARY).build()));

  private static ColumnSchemaBuilder column(String name, Type type) {
    return new ColumnSchemaBuilder(name, type);
  }

  @Test
  void packedBytesFollowTheLengthOfTexts() {
    Schema schema =
        new Schema(
            List.of(
                column("k", Type.INT32).key(true).build(),
                column("text", Type.STRING).nullable(true).build(),
                column("bytes", Type.BINARY).build()));
    PartialRow row = schema.newPartialRow();
    int bare = row.packedBytes();
    row.addString(1, "four");
    row.addBinary(2, new byte[10]);
    assertThat(row.packedBytes()).isEqualTo(bare + 14);
    row.addString(1, "a");
    assertThat(row.packedBytes()).isEqualTo(bare + 11);
    row.setNull(1);
    row.setNull(1);
    assertThat(row.packedBytes()).isEqualTo(bare + 10);
    assertThat(new PartialRow(row).packedBytes()).isEqualTo(bare + 10);
    row.addString(1, "ab");
    assertThat(row.packedBytes()).isEqualTo(bare + 12);
  }

  @Property(tries = 500)
  void packedRowsAreReadBack(@ForAll long seed) {
    Random random = new Random(seed);
    Schema schema = SampleRows.schema(random);
    PackedRows packed = new PackedRows();
    RowOperationsWriter writer = new RowOperationsWriter(schema.newPartialRow().shape().layout);
    List<PartialRow> rows = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(5); i++) {
      PartialRow row = schema.newPartialRow();
      SampleRows.fill(row, random);
      rows.add(row);
      row.appendTo(packed, OperationType.UPSERT);
      row.appendTo(writer, OperationType.UPSERT);
    }

    assertRead(reader(schema, packed), rows, schema);
    assertRead(writer.reader(), rows, schema);
  }

  private static RowOperationsReader reader(Schema schema, PackedRows packed) {
    return new RowOperations(
            schema.newPartialRow().shape().layout,
            packed.rows(),
            0,
            packed.rowsLength(),
            packed.indirect(),
            0,
            packed.indirectLength())
        .reader();
  }

  private static void assertRead(RowOperationsReader reader, List<PartialRow> rows, Schema schema) {
    for (PartialRow row : rows) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.type()).isEqualTo(OperationType.UPSERT);
      for (int c = 0; c < schema.getColumnCount(); c++) {
        assertThat(reader.isSet(c)).isEqualTo(row.isSet(c));
        assertThat(reader.isNull(c)).isEqualTo(row.isNull(c));
        if (reader.hasCell(c)) {
          PartialRow other = schema.newPartialRow();
          other.setCell(c, reader.cell(c));
          assertThat(other.getObject(c)).isEqualTo(row.getObject(c));
        }
      }
    }
    assertThat(reader.next()).isFalse();
  }

  @Property(tries = 200)
  void deletePacksOnlyTheKey(@ForAll long seed) {
    Random random = new Random(seed);
    Schema schema = SampleRows.schema(random);
    PartialRow row = schema.newPartialRow();
    SampleRows.fill(row, random);
    PackedRows packed = new PackedRows();
    row.appendTo(packed, OperationType.DELETE);

    RowOperationsReader reader = reader(schema, packed);
    assertThat(reader.next()).isTrue();
    assertThat(reader.setCount()).isEqualTo(schema.getPrimaryKeyColumnCount());
    assertThat(reader.next()).isFalse();
  }

  @Property(tries = 200)
  void addedValuesAreReadBack(@ForAll long seed) {
    Random random = new Random(seed);
    Schema schema = SampleRows.schema(random);
    PartialRow row = schema.newPartialRow();
    for (int c = 0; c < schema.getColumnCount(); c++) {
      Object value = SampleRows.value(schema.getColumnByIndex(c), random);
      row.addObject(c, value);
      assertThat(row.getObject(c)).isEqualTo(value);
      assertThat(row.getObject(schema.getColumnByIndex(c).getName())).isEqualTo(value);
    }
    PartialRow copy = new PartialRow(row);
    assertThat(copy.toString()).isEqualTo(row.toString());
  }

  @Property(tries = 200)
  void encodedKeysDecode(@ForAll long seed) {
    Random random = new Random(seed);
    Schema schema = SampleRows.schema(random);
    PartialRow row = schema.newPartialRow();
    SampleRows.fill(row, random);

    byte[][] cells = KeyDecoder.decode(schema.toCommon(), row.encodePrimaryKey());

    for (int c = 0; c < cells.length; c++) {
      PartialRow decoded = schema.newPartialRow();
      decoded.setCell(c, cells[c]);
      assertThat(decoded.getObject(c)).isEqualTo(row.getObject(c));
    }
  }

  @Test
  void typedAccessorsRoundTrip() {
    PartialRow row = SCHEMA.newPartialRow();
    row.addInt("id", -7);
    row.addStringUtf8("name", new byte[] {'x'});
    row.addByte("i8", (byte) 3);
    row.addDecimal("dec", new BigDecimal("1.5"));
    row.addVarchar("vc", "abcdefgh");
    row.addDate("day", Date.valueOf("2020-02-29"));
    row.addTimestamp("at", Timestamp.valueOf("2020-02-29 12:00:00.123456"));
    row.addBinary("bin", ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2));

    assertThat(row.getInt("id")).isEqualTo(-7);
    assertThat(row.getString("name")).isEqualTo("x");
    assertThat(row.getByte("i8")).isEqualTo((byte) 3);
    assertThat(row.getDecimal("dec")).isEqualTo(new BigDecimal("1.50"));
    assertThat(row.getVarchar("vc")).isEqualTo("abcde");
    assertThat(row.getDate("day")).isEqualTo(Date.valueOf("2020-02-29"));
    assertThat(row.getTimestamp("at")).isEqualTo(Timestamp.valueOf("2020-02-29 12:00:00.123456"));
    assertThat(row.getBinaryCopy("bin")).containsExactly(2, 3);
    assertThat(row.getBinary("bin")).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3}));
  }

  @Test
  void toStringContainsTheSetColumns() {
    PartialRow row = SCHEMA.newPartialRow();
    row.addInt(0, 5);
    row.addString(1, "a\"b");
    row.setNull("i8");
    row.addDecimal("dec", new BigDecimal("3.5"));
    row.addVarchar("vc", "v");
    row.addDate("day", Date.valueOf("2020-02-29"));
    row.addLong("at", 1_600_000_000_123_456L);
    row.addBinary("bin", new byte[] {0, 'A', -1});

    assertThat(row.stringifyRowKey()).isEqualTo("(int32 id=5, string name=\"a\\\"b\")");
    assertThat(row)
        .hasToString(
            "(int32 id=5, string name=\"a\\\"b\", int8 i8=NULL, decimal(10, 2) dec=3.50,"
                + " varchar(5) vc=\"v\", date day=2020-02-29,"
                + " unixtime_micros at=2020-09-13T12:26:40.123456Z, binary bin=\"\\x00A\\xFF\")");
  }

  @Test
  void wrongTypesColumnsAndValuesAreRefused() {
    PartialRow row = SCHEMA.newPartialRow();

    assertThatThrownBy(() -> row.addLong("id", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("id isn't [Type: int64, Type: unixtime_micros], it's int32");
    assertThatThrownBy(() -> row.addInt("day", 1)).hasMessage("day isn't [Type: int32], it's date");
    assertThatThrownBy(() -> row.addString("vc", "x"))
        .hasMessage("vc isn't [Type: string], it's varchar");
    assertThatThrownBy(() -> row.addInt("zz", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Unknown column: zz");
    assertThatThrownBy(() -> row.addInt(99, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> row.addInt(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> row.setNull("id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("id cannot be set to null");
    assertThatThrownBy(() -> row.addObject("id", "text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Value type does not match column type Type: int32 for column id");
    assertThatThrownBy(() -> row.addObject("id", 5L)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> row.addDecimal("dec", new BigDecimal("1.555")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scale 3");
    assertThatThrownBy(() -> row.addDecimal("dec", new BigDecimal("123456789.5")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("precision 11");
    assertThatThrownBy(() -> row.addBinary("bin", (byte[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThat(row).hasToString("()");
  }

  @Test
  void readingAnUnsetColumnIsRejected() {
    PartialRow row = SCHEMA.newPartialRow();
    row.setNull("i8");

    assertThatThrownBy(() -> row.getInt("id")).hasMessage("Column value is not set");
    assertThatThrownBy(() -> row.getByte("i8")).hasMessage("Column value is null");
    assertThatThrownBy(row::stringifyRowKey)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Column id is not set");
    assertThatThrownBy(row::encodePrimaryKey)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Primary key column id is not set");
    assertThat(row.getObject("id")).isNull();
    assertThat(row.isSet("i8")).isTrue();
    assertThat(row.isNull("i8")).isTrue();
    assertThat(row.isSet("id")).isFalse();
  }

  @Test
  void theLastSetValueWins() {
    PartialRow row = SCHEMA.newPartialRow();
    row.setNull("i8");
    row.addByte("i8", (byte) 1);
    assertThat(row.isNull("i8")).isFalse();
    row.addObject("i8", null);
    assertThat(row.isNull("i8")).isTrue();
  }

  @Test
  void frozenRowsCannotBeChanged() {
    PartialRow row = SCHEMA.newPartialRow();
    row.addInt("id", 1);
    row.freeze();

    assertThatThrownBy(() -> row.addInt("id", 2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> row.setNull("i8")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> row.addString("name", "x")).isInstanceOf(IllegalStateException.class);
    assertThat(row.getInt("id")).isEqualTo(1);
  }

  @Test
  void varcharIsTruncatedByCharacters() {
    PartialRow row = SCHEMA.newPartialRow();
    row.addVarchar("vc", "😀😀😀😀😀😀");
    assertThat(row.getVarchar("vc")).isEqualTo("😀😀😀😀😀");
  }

  @Test
  void aTableWithoutUniqueKeyGetsNumberedRows() {
    Schema schema =
        new Schema(
            List.of(
                column("k", Type.INT32).nonUniqueKey(true).build(),
                column("v", Type.INT32).build()));

    assertThat(schema.getColumns().stream().map(ColumnSchema::getName))
        .containsExactly("k", "auto_incrementing_id", "v");
    assertThat(schema.getPrimaryKeyColumnCount()).isEqualTo(2);
    assertThat(schema.isPrimaryKeyUnique()).isFalse();
    assertThat(Schema.of(schema.toCommon())).isEqualTo(schema);
  }

  @Test
  void setsCellsFromTheirStoredForms() {
    PartialRow row = SCHEMA.newPartialRow();
    row.addDecimalUnscaled(3, -1250);
    row.addVarcharUtf8(4, "größe".getBytes(StandardCharsets.UTF_8));
    row.addDateDays(5, -1);

    assertThat(row.getDecimal(3)).isEqualTo(new BigDecimal("-12.50"));
    assertThat(row.getVarchar(4)).isEqualTo("größe");
    assertThat(row.getDate(5)).isEqualTo(Date.valueOf("1969-12-31"));
  }

  @Test
  void setsUnscaledDecimalsOfEveryWidth() {
    for (int precision : new int[] {1, 9, 10, 18, 19, 38}) {
      Schema schema =
          new Schema(
              List.of(
                  column("id", Type.INT32).key(true).build(),
                  column("dec", Type.DECIMAL)
                      .typeAttributes(DecimalUtil.typeAttributes(precision, 0))
                      .build()));
      for (long value : new long[] {9, -9, 0}) {
        PartialRow row = schema.newPartialRow();
        row.addDecimalUnscaled(1, value);
        assertThat(row.getDecimal(1)).isEqualTo(BigDecimal.valueOf(value));
      }
    }
  }

  @Test
  void rejectsInvalidStoredForms() {
    PartialRow row = SCHEMA.newPartialRow();

    assertThatThrownBy(() -> row.addDecimalUnscaled(3, 10_000_000_000L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10000000000")
        .hasMessageContaining("10 digits of column dec");
    assertThatThrownBy(() -> row.addVarcharUtf8(4, "lengths".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7 characters does not fit column vc");
    assertThatThrownBy(() -> row.addDateDays(5, 2_932_897))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("out of range");
    assertThat(row.isSet(3) || row.isSet(4) || row.isSet(5)).isFalse();
  }
}
