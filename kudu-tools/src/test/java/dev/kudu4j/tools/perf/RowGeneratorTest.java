package dev.kudu4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.util.DateUtil;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RowGeneratorTest {
  private static final Schema ALL_TYPES =
      new Schema(
          List.of(
              new ColumnSchemaBuilder("k1", Type.INT8).key(true).build(),
              new ColumnSchemaBuilder("k2", Type.INT64).key(true).build(),
              new ColumnSchemaBuilder("bool", Type.BOOL).build(),
              new ColumnSchemaBuilder("i16", Type.INT16).build(),
              new ColumnSchemaBuilder("i32", Type.INT32).build(),
              new ColumnSchemaBuilder("micros", Type.UNIXTIME_MICROS).build(),
              new ColumnSchemaBuilder("date", Type.DATE).build(),
              new ColumnSchemaBuilder("float", Type.FLOAT).build(),
              new ColumnSchemaBuilder("double", Type.DOUBLE).build(),
              decimal("decimal3", 3),
              decimal("decimal18", 18),
              decimal("decimal38", 38),
              new ColumnSchemaBuilder("text", Type.STRING).build(),
              new ColumnSchemaBuilder("short", Type.VARCHAR)
                  .typeAttributes(new ColumnTypeAttributesBuilder().length(3).build())
                  .build(),
              new ColumnSchemaBuilder("bytes", Type.BINARY).build()));

  private static dev.kudu4j.ColumnSchema decimal(String name, int precision) {
    return new ColumnSchemaBuilder(name, Type.DECIMAL)
        .typeAttributes(new ColumnTypeAttributesBuilder().precision(precision).scale(1).build())
        .build();
  }

  private static RowGenerator generator(boolean random, long seed, String fixedText) {
    return new RowGenerator(
        ALL_TYPES,
        ValueGenerator.of(random, seed, 6),
        ValueGenerator.of(random, seed, 6),
        fixedText);
  }

  private static PartialRow filled(RowGenerator generator) {
    PartialRow row = ALL_TYPES.newPartialRow();
    generator.fill(row);
    return row;
  }

  @Test
  void everyTypeGetsTheNextNumberOfItsSequence() {
    PartialRow row = filled(generator(false, 7, ""));
    assertThat(row.getByte("k1")).isEqualTo((byte) 7);
    assertThat(row.getLong("k2")).isEqualTo(8);
    assertThat(row.getBoolean("bool")).isTrue();
    assertThat(row.getShort("i16")).isEqualTo((short) 8);
    assertThat(row.getInt("i32")).isEqualTo(9);
    assertThat(row.getLong("micros")).isEqualTo(10);
    assertThat(row.getDouble("double")).isEqualTo(13);
    assertThat(row.getDecimal("decimal3")).hasToString("1.4");
    assertThat(row.getString("text")).isEqualTo("17.xxx");
    assertThat(row.getVarchar("short")).isEqualTo("18.");
    assertThat(row.getBinaryCopy("bytes")).asString().isEqualTo("19.xxx");
  }

  @Test
  void anyNumberFitsItsColumn() {
    for (long seed : LongStream.of(0, 127, 1L << 31, Long.MAX_VALUE - 9, -1).toArray()) {
      PartialRow row = filled(generator(false, seed, ""));
      assertThat(row.getByte("k1")).isNotNegative();
      assertThat(row.getDate("date").toLocalDate().toEpochDay())
          .isBetween(0L, (long) DateUtil.MAX_DATE_VALUE);
    }
    RowGenerator random = generator(true, 42, "");
    for (int i = 0; i < 1000; i++) {
      assertThat(filled(random).getDecimal("decimal18").precision()).isLessThanOrEqualTo(18);
    }
  }

  @Test
  void theSameSeedMakesTheSameKeysWithoutTheValues() {
    RowGenerator rows = generator(true, 5, "");
    RowGenerator keys = generator(true, 5, "");
    for (int i = 0; i < 10; i++) {
      PartialRow key = ALL_TYPES.newPartialRow();
      keys.fillKey(key);
      PartialRow row = filled(rows);
      assertThat(key.getLong("k2")).isEqualTo(row.getLong("k2"));
      assertThat(key.isSet("bool")).isFalse();
    }
  }

  @Test
  void aFixedTextIsCutForShortColumns() {
    PartialRow row = filled(generator(false, 0, "always"));
    assertThat(row.getString("text")).isEqualTo("always");
    assertThat(row.getVarchar("short")).isEqualTo("alw");
    assertThat(row.getBinaryCopy("bytes")).asString().isEqualTo("always");
  }

  @Test
  void textsHaveAFixedLength() {
    ValueGenerator texts = ValueGenerator.of(false, -1, 4);
    assertThat(texts.text()).isEqualTo("1844");
    assertThat(texts.text()).isEqualTo("0.xx");
  }
}
