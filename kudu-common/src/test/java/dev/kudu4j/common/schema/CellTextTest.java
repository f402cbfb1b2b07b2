package dev.kudu4j.common.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CellTextTest {
  @Test
  void cellsReadAsPeopleWriteThem() {
    assertThat(text(DataType.INT8, -1)).isEqualTo("-1");
    assertThat(text(DataType.UINT8, -1)).isEqualTo("255");
    assertThat(text(DataType.UINT64, -1)).isEqualTo("18446744073709551615");
    assertThat(text(DataType.BOOL, 1)).isEqualTo("true");
    assertThat(text(DataType.DATE, 18321)).isEqualTo("2020-02-29");
    assertThat(text(DataType.UNIXTIME_MICROS, 1600000000123456L))
        .isEqualTo("2020-09-13T12:26:40.123456Z");
    assertThat(text(DataType.UNIXTIME_MICROS, -1)).isEqualTo("1969-12-31T23:59:59.999999Z");
    ColumnSchema local =
        ColumnSchema.builder("t", DataType.UNIXTIME_MICROS).withoutTimeZone(true).build();
    assertThat(CellText.of(local, cell(8, -1))).isEqualTo("1969-12-31T23:59:59.999999");
    assertThat(text(DataType.DOUBLE, Double.doubleToRawLongBits(1.5))).isEqualTo("1.5");
    ColumnSchema decimal = ColumnSchema.builder("d", DataType.DECIMAL32).decimal(9, 2).build();
    assertThat(CellText.of(decimal, cell(4, -1234567))).isEqualTo("-12345.67");
    assertThat(CellText.of(decimal, null)).isEqualTo("NULL");
  }

  @Test
  void textIsQuotedAndEscaped() {
    assertThat(text("aé\"\\\n\0")).isEqualTo("\"aé\\\"\\\\\\x0a\\x00\"");
    ColumnSchema column = ColumnSchema.builder("b", DataType.BINARY).build();
    assertThat(CellText.of(column, new byte[] {'a', (byte) 0xff})).isEqualTo("\"a\\xff\"");
  }

  private static String text(String value) {
    return CellText.of(
        ColumnSchema.builder("s", DataType.STRING).build(), value.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(DataType type, long value) {
    return CellText.of(ColumnSchema.builder("c", type).build(), cell(type.width(), value));
  }

  private static byte[] cell(int width, long value) {
    byte[] cell = new byte[width];
    for (int i = 0; i < width; i++) {
      cell[i] = (byte) (value >> (8 * i));
    }
    return cell;
  }
}
