package dev.kudu4j.tools.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CellReaderTest {
  private static ColumnSchema column(Type type) {
    return new ColumnSchemaBuilder("c", type).build();
  }

  private static final ColumnSchema DECIMAL =
      new ColumnSchemaBuilder("c", Type.DECIMAL)
          .typeAttributes(new ColumnTypeAttributesBuilder().precision(5).scale(2).build())
          .build();
  private static final ColumnSchema VARCHAR =
      new ColumnSchemaBuilder("c", Type.VARCHAR)
          .typeAttributes(new ColumnTypeAttributesBuilder().length(3).build())
          .build();

  @Test
  void everyTypeIsRead() {
    assertThat(CellReader.read(column(Type.INT8), "-128")).isEqualTo((byte) -128);
    assertThat(CellReader.read(column(Type.INT16), " 7 ")).isEqualTo((short) 7);
    assertThat(CellReader.read(column(Type.INT32), "+7")).isEqualTo(7);
    assertThat(CellReader.read(column(Type.INT64), "9223372036854775807"))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(CellReader.read(column(Type.BOOL), "TRUE")).isEqualTo(true);
    assertThat(CellReader.read(column(Type.BOOL), "0")).isEqualTo(false);
    assertThat(CellReader.read(column(Type.FLOAT), "1e-3")).isEqualTo(0.001f);
    assertThat(CellReader.read(column(Type.DOUBLE), "-Inf")).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(CellReader.read(column(Type.DOUBLE), "NaN")).isEqualTo(Double.NaN);
    assertThat(CellReader.read(DECIMAL, "1.5")).isEqualTo(new BigDecimal("1.50"));
    assertThat(CellReader.read(column(Type.DATE), "2020-02-29"))
        .isEqualTo(java.sql.Date.valueOf(LocalDate.of(2020, 2, 29)));
    assertThat(CellReader.read(column(Type.STRING), " a ")).isEqualTo(" a ");
    assertThat(CellReader.read(VARCHAR, "\uD83D\uDE00bc")).isEqualTo("\uD83D\uDE00bc");
    assertThat(CellReader.read(column(Type.BINARY), "0x00ff")).isEqualTo(new byte[] {0, -1});
    assertThat(CellReader.read(column(Type.BINARY), "ab")).isEqualTo(new byte[] {'a', 'b'});
  }

  @Test
  void pointsInTimeAreReadInSeveralForms() {
    long ten = 1_357_034_400_000_000L;
    for (String text :
        new String[] {
          "2013-01-01T10:00:00Z",
          "2013-01-01 10:00:00",
          "2013-01-01T10:00",
          "2013-01-01T12:00:00+02:00",
          "1357034400000000"
        }) {
      assertThat(CellReader.read(column(Type.UNIXTIME_MICROS), text)).as(text).isEqualTo(ten);
    }
    assertThat(CellReader.read(column(Type.UNIXTIME_MICROS), "2013-01-01"))
        .isEqualTo(ten - 36_000_000_000L);
    assertThat(CellReader.read(column(Type.UNIXTIME_MICROS), "1969-12-31T23:59:59.999999Z"))
        .isEqualTo(-1L);
  }

  @Property
  void formattedTimesAreReadBack(
      @ForAll @LongRange(min = -62_135_596_800_000_000L, max = 253_402_300_799_999_999L)
          long micros) {
    assertThat(Instants.micros(Instants.text(micros))).contains(micros);
  }

  @Test
  void invalidCellsAreRejectedWithTheReason() {
    assertError(column(Type.INT8), "128", "an integer from -128 to 127");
    assertError(column(Type.INT32), "1.0", "it must be an integer");
    assertError(column(Type.INT64), "", "it must be an integer");
    assertError(column(Type.BOOL), "maybe", "true or false");
    assertError(column(Type.DOUBLE), "1,5", "it must be a number");
    assertError(column(Type.DOUBLE), "1d", "it must be a number");
    assertError(DECIMAL, "1.234", "at most 2 digits after the decimal point");
    assertError(DECIMAL, "1234", "at most 5 digits");
    assertError(DECIMAL, "x", "it must be a number");
    assertError(column(Type.DATE), "2013-02-30", "a date such as");
    assertError(column(Type.UNIXTIME_MICROS), "yesterday", "a time such as");
    assertError(VARCHAR, "abcd", "at most 3 characters but has 4");
    assertError(column(Type.BINARY), "0x0", "pairs of hex digits");
  }

  private static void assertError(ColumnSchema column, String text, String right) {
    assertThatThrownBy(() -> CellReader.read(column, text))
        .hasMessageContaining("column c is " + column.getType().name())
        .hasMessageContaining("'" + text + "' is invalid")
        .hasMessageContaining(right);
  }
}
