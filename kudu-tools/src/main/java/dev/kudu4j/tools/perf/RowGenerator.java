package dev.kudu4j.tools.perf;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.util.DateUtil;
import java.math.BigDecimal;
import java.util.List;

/**
 * Fills rows of any schema with generated values. Keys have their own generator, so the same keys
 * can be generated again without the other values. Not thread-safe.
 */
final class RowGenerator {
  /** A decimal with this number of digits can represent all 63-bit numbers. */
  private static final int DIGITS_OF_ALL = 19;

  private static final int MAX_ELEMENTS = 3;

  private final List<ColumnSchema> columns;
  private final ValueGenerator keys;
  private final ValueGenerator values;
  private final String fixedText;

  /**
   * @param fixedText value of all text and binary columns; empty for generated text
   */
  RowGenerator(Schema schema, ValueGenerator keys, ValueGenerator values, String fixedText) {
    this.columns = schema.getColumns();
    this.keys = keys;
    this.values = values;
    this.fixedText = fixedText;
  }

  /** Sets only the key of the next row, for a delete. */
  void fillKey(PartialRow row) {
    for (int i = 0; i < columns.size() && columns.get(i).isKey(); i++) {
      set(row, i, keys);
    }
  }

  /** Sets all columns of the next row, except an auto-incrementing column. */
  void fill(PartialRow row) {
    for (int i = 0; i < columns.size(); i++) {
      set(row, i, columns.get(i).isKey() ? keys : values);
    }
  }

  private void set(PartialRow row, int i, ValueGenerator from) {
    ColumnSchema column = columns.get(i);
    if (column.isAutoIncrementing()) {
      return;
    }
    switch (column.getType()) {
      case BOOL -> row.addBoolean(i, from.upTo(1) == 1);
      case INT8 -> row.addByte(i, (byte) from.upTo(Byte.MAX_VALUE));
      case INT16 -> row.addShort(i, (short) from.upTo(Short.MAX_VALUE));
      case INT32 -> row.addInt(i, (int) from.upTo(Integer.MAX_VALUE));
      case INT64, UNIXTIME_MICROS -> row.addLong(i, from.upTo(Long.MAX_VALUE));
      case DATE ->
          row.addDateDays(i, (int) (from.upTo(Integer.MAX_VALUE) % (DateUtil.MAX_DATE_VALUE + 1)));
      case FLOAT -> row.addFloat(i, from.number());
      case DOUBLE -> row.addDouble(i, from.number());
      case DECIMAL -> row.addDecimalUnscaled(i, decimal(column, from.upTo(Long.MAX_VALUE)));
      case STRING -> row.addString(i, text(from));
      case VARCHAR -> row.addVarchar(i, varchar(column, text(from)));
      case BINARY -> row.addBinary(i, text(from).getBytes(UTF_8));
      case NESTED -> row.addObject(i, array(ColumnSchema.of(column.toCommon().element()), from));
    }
  }

  /** An array of up to three elements. */
  private Object[] array(ColumnSchema element, ValueGenerator from) {
    Object[] values = new Object[(int) from.upTo(MAX_ELEMENTS)];
    for (int i = 0; i < values.length; i++) {
      values[i] = element(element, from);
    }
    return values;
  }

  private Object element(ColumnSchema column, ValueGenerator from) {
    return switch (column.getType()) {
      case BOOL -> from.upTo(1) == 1;
      case INT8 -> (byte) from.upTo(Byte.MAX_VALUE);
      case INT16 -> (short) from.upTo(Short.MAX_VALUE);
      case INT32 -> (int) from.upTo(Integer.MAX_VALUE);
      case INT64, UNIXTIME_MICROS -> from.upTo(Long.MAX_VALUE);
      case DATE ->
          DateUtil.epochDaysToSqlDate(
              (int) (from.upTo(Integer.MAX_VALUE) % (DateUtil.MAX_DATE_VALUE + 1)));
      case FLOAT -> (float) from.number();
      case DOUBLE -> (double) from.number();
      case DECIMAL ->
          BigDecimal.valueOf(
              decimal(column, from.upTo(Long.MAX_VALUE)), column.getTypeAttributes().getScale());
      case BINARY -> text(from).getBytes(UTF_8);
      default -> text(from); // the row cuts off a VARCHAR
    };
  }

  private static long decimal(ColumnSchema column, long number) {
    int digits = column.getTypeAttributes().getPrecision();
    return digits >= DIGITS_OF_ALL ? number : number % Math.round(Math.pow(10, digits));
  }

  private static String varchar(ColumnSchema column, String text) {
    int length = column.getTypeAttributes().getLength();
    return text.length() <= length ? text : text.substring(0, length);
  }

  private String text(ValueGenerator from) {
    return fixedText.isEmpty() ? from.text() : fixedText;
  }
}
