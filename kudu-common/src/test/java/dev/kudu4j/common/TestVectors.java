package dev.kudu4j.common;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Recorded data of the wire protocol, {@code vectors.json}: the results of the published client and
 * a real cluster for given values. Each group is a list; byte strings are hexadecimal, 64-bit
 * numbers are text.
 */
public final class TestVectors {
  private static final JsonNode ROOT = read();

  private TestVectors() {}

  /** The entries of a group. */
  public static Stream<JsonNode> group(String name) {
    List<JsonNode> entries = new ArrayList<>();
    ROOT.required(name).forEach(entries::add);
    return entries.stream();
  }

  public static byte[] hex(JsonNode text) {
    return HexFormat.of().parseHex(text.asText());
  }

  /** The schema of a {@code columns} list. */
  public static Schema schema(JsonNode columns) {
    List<ColumnSchema> list = new ArrayList<>();
    for (JsonNode column : columns) {
      list.add(
          ColumnSchema.builder(
                  column.get("name").asText(), DataType.valueOf(column.get("type").asText()))
              .id(column.path("id").asInt(ColumnSchema.NO_ID))
              .key(column.path("key").asBoolean())
              .nullable(column.path("nullable").asBoolean())
              .decimal(column.path("precision").asInt(), column.path("scale").asInt())
              .length(column.path("length").asInt())
              .build());
    }
    return new Schema(list);
  }

  /**
   * A value of a group whose decimals are plain decimals ({@code 12345.67}), in cell form; null for
   * NULL.
   */
  public static byte[] cell(ColumnSchema column, JsonNode value) {
    return cell(column, value, false);
  }

  /** A value of a group whose decimals are unscaled integers, in cell form; null for NULL. */
  public static byte[] unscaledCell(ColumnSchema column, JsonNode value) {
    return cell(column, value, true);
  }

  private static byte[] cell(ColumnSchema column, JsonNode value, boolean unscaled) {
    if (value.isNull()) {
      return null;
    }
    if (value.has("hex")) {
      return hex(value.get("hex"));
    }
    String text = value.asText();
    return switch (column.type()) {
      case STRING, VARCHAR, BINARY -> text.getBytes(StandardCharsets.UTF_8);
      case BOOL, IS_DELETED -> new byte[] {(byte) (value.asBoolean() ? 1 : 0)};
      case FLOAT -> integer(BigInteger.valueOf(Float.floatToRawIntBits(Float.parseFloat(text))), 4);
      case DOUBLE ->
          integer(BigInteger.valueOf(Double.doubleToRawLongBits(Double.parseDouble(text))), 8);
      case DATE -> date(text);
      case DECIMAL32, DECIMAL64, DECIMAL128 ->
          integer(
              unscaled
                  ? new BigInteger(text)
                  : new BigDecimal(text).setScale(column.scale()).unscaledValue(),
              column.type().width());
      default -> integer(new BigInteger(text), column.type().width());
    };
  }

  private static byte[] date(String text) {
    byte[] cell = new byte[4];
    int days =
        text.indexOf('-') > 0 ? (int) LocalDate.parse(text).toEpochDay() : Integer.parseInt(text);
    LittleEndian.putInt(cell, 0, days);
    return cell;
  }

  private static byte[] integer(BigInteger value, int width) {
    byte[] cell = new byte[width];
    for (int i = 0; i < width; i++) {
      cell[i] = value.shiftRight(8 * i).byteValue();
    }
    return cell;
  }

  private static JsonNode read() {
    try (InputStream in = TestVectors.class.getResourceAsStream("/vectors.json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
