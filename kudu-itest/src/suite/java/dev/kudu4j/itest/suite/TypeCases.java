package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * All types: cells are written, read in both layouts, and found by all kinds of predicates, in
 * memory and in data files.
 */
abstract class TypeCases extends ClientCase {
  /**
   * Row i has the i-th value, and one additional row has NULL. The position of a predicate's value
   * determines the rows that it must find.
   *
   * @param values ascending, as the type orders them
   */
  private void valuesAreKeptAndFound(ColumnSchemaBuilder column, Object... values)
      throws KuduException {
    KuduTable table =
        create(schema(key("k", Type.INT32), column.nullable(true).build()), oneTablet());
    ColumnSchema v = table.getSchema().getColumn("v");
    Operation[] inserts = new Operation[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      inserts[i] = op(table.newInsert(), "k", i, "v", values[i]);
    }
    inserts[values.length] = op(table.newInsert(), "k", values.length, "v", null);
    assertThat(apply(inserts)).filteredOn("ok"::equals).hasSize(inserts.length);
    for (int round = 0; round < 2; round++) {
      assertThat(scan(table, b -> b.setProjectedColumnNames(List.of("v"))))
          .containsExactlyInAnyOrderElementsOf(texts(values));
      for (int i = 0; i < values.length; i++) {
        finds(table, v, ComparisonOp.EQUAL, values[i], i, i + 1);
        finds(table, v, ComparisonOp.LESS, values[i], 0, i);
        finds(table, v, ComparisonOp.LESS_EQUAL, values[i], 0, i + 1);
        finds(table, v, ComparisonOp.GREATER, values[i], i + 1, values.length);
        finds(table, v, ComparisonOp.GREATER_EQUAL, values[i], i, values.length);
      }
      assertThat(keys(table, KuduPredicate.newIsNullPredicate(v)))
          .containsExactly(String.valueOf(values.length));
      assertThat(keys(table, KuduPredicate.newIsNotNullPredicate(v))).hasSize(values.length);
      assertThat(
              keys(
                  table,
                  KuduPredicate.newInListPredicate(
                      v, List.of(inList(values[values.length - 1]), inList(values[0])))))
          .containsExactlyInAnyOrder("0", String.valueOf(values.length - 1));
      cluster.flush();
    }
  }

  /** Lists accept times as microseconds only. */
  private static Object inList(Object value) {
    return value instanceof Timestamp time ? TimestampUtil.timestampToMicros(time) : value;
  }

  private void finds(
      KuduTable table, ColumnSchema v, ComparisonOp comparison, Object value, int from, int to)
      throws KuduException {
    assertThat(keys(table, KuduPredicate.newComparisonPredicate(v, comparison, value)))
        .as("%s %s", comparison, value)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(from, to).mapToObj(String::valueOf).toList());
  }

  private static List<String> texts(Object... values) {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      texts.add(value.toString());
    }
    texts.add("null");
    return texts;
  }

  @Test
  void bool() throws Exception {
    valuesAreKeptAndFound(column("v", Type.BOOL), false, true);
  }

  @Test
  void int8() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.INT8), Byte.MIN_VALUE, (byte) -1, (byte) 0, (byte) 1, Byte.MAX_VALUE);
  }

  @Test
  void int16() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.INT16), Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE);
  }

  @Test
  void int32() throws Exception {
    valuesAreKeptAndFound(column("v", Type.INT32), Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
  }

  @Test
  void int64() throws Exception {
    valuesAreKeptAndFound(column("v", Type.INT64), Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
  }

  @Test
  void float32() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.FLOAT),
        Float.NEGATIVE_INFINITY,
        -Float.MAX_VALUE,
        -1.5f,
        0.0f,
        Float.MIN_VALUE,
        Float.MAX_VALUE,
        Float.POSITIVE_INFINITY);
  }

  @Test
  void float64() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.DOUBLE),
        Double.NEGATIVE_INFINITY,
        -Double.MAX_VALUE,
        -1.5,
        0.0,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY);
  }

  @Test
  void string() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.STRING), "", "\0", "A", "a", "a\0", "ab", "ä", "日本", "😀");
  }

  @Test
  void binary() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT32), nullable("v", Type.BINARY)), oneTablet());
    byte[][] values = {{}, {0}, {0, 0}, {1}, {(byte) 0x80}, {(byte) 0xff, 0}};
    for (int i = 0; i < values.length; i++) {
      apply(op(table.newInsert(), "k", i, "v", values[i]));
    }
    apply(op(table.newInsert(), "k", values.length));
    ColumnSchema v = table.getSchema().getColumn("v");
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < values.length; i++) {
        finds(table, v, ComparisonOp.EQUAL, values[i], i, i + 1);
        finds(table, v, ComparisonOp.GREATER, values[i], i + 1, values.length);
        finds(table, v, ComparisonOp.LESS, values[i], 0, i);
      }
      assertThat(keys(table, KuduPredicate.newInListPredicate(v, List.of(values[0], values[5]))))
          .containsExactlyInAnyOrder("0", "5");
      cluster.flush();
    }
  }

  @Test
  void varcharOfItsLength() throws Exception {
    valuesAreKeptAndFound(varchar("v", 10), "", "a", "ab", "b", "zzzzzzzzzz", "ä", "日本語日本語日本語日");
  }

  @Test
  void date() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.DATE),
        Date.valueOf("0001-01-01"),
        Date.valueOf("1969-12-31"),
        Date.valueOf("1970-01-01"),
        Date.valueOf("2000-02-29"),
        Date.valueOf("9999-12-31"));
  }

  @Test
  void unixtimeMicros() throws Exception {
    valuesAreKeptAndFound(
        column("v", Type.UNIXTIME_MICROS),
        Timestamp.valueOf("1900-01-01 00:00:00.000001"),
        Timestamp.valueOf("1970-01-02 00:00:00"),
        Timestamp.valueOf("2026-11-21 08:30:00.123456"),
        Timestamp.valueOf("2026-11-21 08:30:00.123457"));
  }

  @Test
  void decimalOfNineDigits() throws Exception {
    valuesAreKeptAndFound(
        decimal("v", 9, 4),
        new BigDecimal("-99999.9999"),
        new BigDecimal("-0.0001"),
        new BigDecimal("0.0000"),
        new BigDecimal("12.3400"),
        new BigDecimal("99999.9999"));
  }

  @Test
  void decimalOfEighteenDigits() throws Exception {
    valuesAreKeptAndFound(
        decimal("v", 18, 0),
        new BigDecimal("-999999999999999999"),
        new BigDecimal("-1"),
        new BigDecimal("0"),
        new BigDecimal("999999999999999999"));
  }

  @Test
  void decimalOfThirtyEightDigits() throws Exception {
    valuesAreKeptAndFound(
        decimal("v", 38, 38),
        new BigDecimal("-0." + "9".repeat(38)),
        new BigDecimal("-0." + "0".repeat(37) + "1"),
        new BigDecimal("0." + "0".repeat(38)),
        new BigDecimal("0." + "1".repeat(38)),
        new BigDecimal("0." + "9".repeat(38)));
  }

  @Test
  void keysOfEveryTypeAreInTheirOrder() throws Exception {
    Object[][] keys = {
      {key("k", Type.INT8), Byte.MIN_VALUE, (byte) 0, Byte.MAX_VALUE},
      {key("k", Type.INT16), Short.MIN_VALUE, (short) 0, Short.MAX_VALUE},
      {key("k", Type.INT32), Integer.MIN_VALUE, 0, Integer.MAX_VALUE},
      {key("k", Type.INT64), Long.MIN_VALUE, 0L, Long.MAX_VALUE},
      {key("k", Type.STRING), "", "a\0b", "a\1"},
      {varchar("k", 3).key(true).build(), "", "a", "b"},
      {key("k", Type.DATE), Date.valueOf("1900-01-01"), Date.valueOf("2000-01-01")},
      {decimal("k", 9, 1).key(true).build(), new BigDecimal("-1.0"), new BigDecimal("1.0")},
      {decimal("k", 38, 1).key(true).build(), new BigDecimal("-1.0"), new BigDecimal("1.0")},
    };
    for (int i = 0; i < keys.length; i++) {
      KuduTable table =
          client.createTable(tableName + i, schema((ColumnSchema) keys[i][0]), oneTablet());
      List<String> expected = new ArrayList<>();
      for (int j = keys[i].length - 1; j > 0; j--) {
        assertThat(apply(op(table.newInsert(), "k", keys[i][j])).get(0)).isEqualTo("ok");
        expected.add(0, keys[i][j].toString());
      }
      assertThat(scan(table, b -> b.setFaultTolerant(true))).containsExactlyElementsOf(expected);
      assertThat(
              scan(table, b -> b.lowerBound(row(table.getSchema(), "k", lastOf(expected, table)))))
          .hasSize(1);
    }
  }

  private static Object lastOf(List<String> expected, KuduTable table) {
    String last = expected.get(expected.size() - 1);
    return switch (table.getSchema().getColumnByIndex(0).getType()) {
      case INT8 -> Byte.valueOf(last);
      case INT16 -> Short.valueOf(last);
      case INT32 -> Integer.valueOf(last);
      case INT64 -> Long.valueOf(last);
      case DATE -> Date.valueOf(last);
      case DECIMAL -> new BigDecimal(last);
      default -> last;
    };
  }

  @Test
  void keysOfMixedTypesAreComparedColumnByColumn() throws Exception {
    Schema schema =
        schema(key("s", Type.STRING), key("b", Type.BINARY), key("t", Type.UNIXTIME_MICROS));
    KuduTable table = create(schema, oneTablet());
    List<String> texts = List.of("", "\0", "a", "a\0", "b");
    for (String text : texts) {
      for (String bytes : List.of("\0\0", "\0", "x")) {
        apply(
            op(
                table.newInsert(),
                "s",
                text,
                "b",
                bytes.getBytes(StandardCharsets.UTF_8),
                "t",
                new Timestamp(0)));
      }
    }
    List<String> ordered = new ArrayList<>();
    for (String text : texts) {
      ordered.addAll(List.of(text, text, text));
    }
    assertThat(scan(table, b -> b.setFaultTolerant(true).setProjectedColumnNames(List.of("s"))))
        .containsExactlyElementsOf(ordered);
  }

  @Test
  void theTwoZerosAreEqual() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT32), nullable("d", Type.DOUBLE)), oneTablet());
    apply(op(table.newInsert(), "k", 0, "d", -0.0), op(table.newInsert(), "k", 1, "d", 0.0));
    ColumnSchema d = table.getSchema().getColumn("d");
    for (int round = 0; round < 2; round++) {
      for (ComparisonOp comparison :
          List.of(ComparisonOp.EQUAL, ComparisonOp.LESS_EQUAL, ComparisonOp.GREATER_EQUAL)) {
        assertThat(keys(table, KuduPredicate.newComparisonPredicate(d, comparison, 0.0)))
            .containsExactlyInAnyOrder("0", "1");
      }
      assertThat(scan(table)).containsExactlyInAnyOrder("0 -0.0", "1 0.0");
      cluster.flush();
    }
  }

  /**
   * On Apache Kudu's servers not-a-number equals every number, so every comparison for equality
   * finds it. On ours it equals nothing, as in IEEE 754; otherwise no page could be skipped.
   */
  @Test
  void notANumberEqualsNothing() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT32), nullable("d", Type.DOUBLE)), oneTablet());
    apply(op(table.newInsert(), "k", 0, "d", Double.NaN), op(table.newInsert(), "k", 1, "d", 1.0));
    ColumnSchema d = table.getSchema().getColumn("d");
    List<String> found =
        keys(table, KuduPredicate.newComparisonPredicate(d, ComparisonOp.EQUAL, 1.0));
    assertThat(found).contains("1");
    if (!cluster.isPublished()) {
      assertThat(found).containsExactly("1");
    }
    assertThat(scan(table)).containsExactlyInAnyOrder("0 NaN", "1 1.0");
  }
}
