package dev.kudu4j.client;

import static dev.kudu4j.client.KuduPredicate.newComparisonPredicate;
import static dev.kudu4j.client.KuduPredicate.newInListPredicate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.util.BloomFilter;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KuduPredicateTest {
  private static ColumnSchema column(String name, Type type) {
    ColumnSchema.ColumnSchemaBuilder column =
        new ColumnSchema.ColumnSchemaBuilder(name, type).nullable(true);
    if (type == Type.DECIMAL) {
      column.typeAttributes(
          new ColumnTypeAttributes.ColumnTypeAttributesBuilder().precision(9).scale(2).build());
    } else if (type == Type.VARCHAR) {
      column.typeAttributes(
          new ColumnTypeAttributes.ColumnTypeAttributesBuilder().length(5).build());
    }
    return column.build();
  }

  /** The columns and values of the table below, in the words of the published client. */
  private static final Map<String, Object[]> SUBJECTS =
      Map.ofEntries(
          Map.entry("i", new Object[] {Type.INT32, 5}),
          Map.entry("most", new Object[] {Type.INT8, (byte) 127}),
          Map.entry("least", new Object[] {Type.INT8, (byte) -128}),
          Map.entry("t", new Object[] {Type.BOOL, true}),
          Map.entry("f", new Object[] {Type.BOOL, false}),
          Map.entry("s", new Object[] {Type.STRING, "foo"}),
          Map.entry("empty", new Object[] {Type.STRING, ""}),
          Map.entry("y", new Object[] {Type.BINARY, new byte[] {1, -1, 65}}),
          Map.entry("r", new Object[] {Type.FLOAT, 1.5f}),
          Map.entry("inf", new Object[] {Type.DOUBLE, Double.POSITIVE_INFINITY}),
          Map.entry("dec", new Object[] {Type.DECIMAL, new BigDecimal("12.5")}),
          Map.entry("nines", new Object[] {Type.DECIMAL, new BigDecimal("9999999.99")}),
          Map.entry("minus", new Object[] {Type.DECIMAL, new BigDecimal("-9999999.99")}),
          Map.entry("ts", new Object[] {Type.UNIXTIME_MICROS, new Timestamp(1500)}),
          Map.entry("dt", new Object[] {Type.DATE, Date.valueOf("2020-02-29")}));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          i     | `i` >= 6            | `i` >= 5             | `i` = 5            | `i` < 5        | `i` < 6
          most  | `most` NONE         | `most` = 127         | `most` = 127       | `most` < 127   | `most` IS NOT NULL
          least | `least` >= -127     | `least` IS NOT NULL  | `least` = -128     | `least` NONE   | `least` = -128
          t     | `t` NONE            | `t` = true           | `t` = true         | `t` = false    | `t` IS NOT NULL
          f     | `f` = true          | `f` IS NOT NULL      | `f` = false        | `f` NONE       | `f` = false
          s     | `s` >= "foo?"       | `s` >= "foo"         | `s` = "foo"        | `s` < "foo"    | `s` < "foo?"
          empty | `empty` >= "?"      | `empty` IS NOT NULL  | `empty` = ""       | `empty` NONE   | `empty` = ""
          y     | `y` >= 0x01FF4100   | `y` >= 0x01FF41      | `y` = 0x01FF41     | `y` < 0x01FF41 | `y` < 0x01FF4100
          r     | `r` >= 1.5000001    | `r` >= 1.5           | `r` = 1.5          | `r` < 1.5      | `r` < 1.5000001
          inf   | `inf` NONE          | `inf` = Infinity     | `inf` = Infinity   | `inf` < Infinity | `inf` IS NOT NULL
          dec   | `dec` >= 12.51      | `dec` >= 12.50       | `dec` = 12.50      | `dec` < 12.50  | `dec` < 12.51
          nines | `nines` NONE        | `nines` = 9999999.99 | `nines` = 9999999.99 | `nines` < 9999999.99 | `nines` IS NOT NULL
          minus | `minus` >= -9999999.98 | `minus` IS NOT NULL | `minus` = -9999999.99 | `minus` NONE | `minus` = -9999999.99
          dt    | `dt` >= 2020-03-01  | `dt` >= 2020-02-29   | `dt` = 2020-02-29  | `dt` < 2020-02-29 | `dt` < 2020-03-01
          """)
  void comparisonsAreSimplified(
      String name,
      String greater,
      String greaterEqual,
      String equal,
      String less,
      String lessEqual) {
    ColumnSchema column = column(name, (Type) SUBJECTS.get(name)[0]);
    Object value = SUBJECTS.get(name)[1];
    List<String> expected = List.of(greater, greaterEqual, equal, less, lessEqual);
    for (ComparisonOp op : ComparisonOp.values()) {
      assertThat(newComparisonPredicate(column, op, value))
          .as("%s %s", name, op)
          .hasToString(expected.get(op.ordinal()).replace('?', '\0'));
    }
  }

  @Test
  void comparisonsWithNanMatchNothing() {
    for (ComparisonOp op : ComparisonOp.values()) {
      assertThat(newComparisonPredicate(column("d", Type.DOUBLE), op, Double.NaN))
          .hasToString("`d` NONE");
    }
  }

  @Test
  void invalidValuesHaveTheErrorsOfTheOriginalClient() {
    ColumnSchema i8 = column("i8", Type.INT8);
    assertThatThrownBy(() -> newComparisonPredicate(i8, ComparisonOp.LESS, 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("integer value out of range for Type: int8 column: 1000");
    assertThatThrownBy(() -> newComparisonPredicate(i8, ComparisonOp.LESS, "x"))
        .hasMessage("i8's type isn't [Type: string, Type: varchar], it's int8");
    assertThatThrownBy(() -> newComparisonPredicate(i8, ComparisonOp.LESS, new Object()))
        .hasMessage("illegal type for LESS predicate: java.lang.Object");
    assertThatThrownBy(() -> newInListPredicate(i8, List.of(1000)))
        .hasMessage("i8's type isn't [Type: int32, Type: date], it's int8");
    assertThatThrownBy(() -> newInListPredicate(i8, List.of(new Object())))
        .hasMessage("illegal type for IN list values: java.lang.Object");
  }

  @Test
  void listsAreSortedAndDistinct() {
    assertThat(newInListPredicate(column("i", Type.INT32), List.of(5, 3, 3, 9)))
        .hasToString("`i` IN (3, 5, 9)");
    assertThat(newInListPredicate(column("i", Type.INT32), List.of(5))).hasToString("`i` = 5");
    assertThat(newInListPredicate(column("i", Type.INT32), List.of())).hasToString("`i` NONE");
    assertThat(newInListPredicate(column("b", Type.BOOL), List.of(true, false)))
        .hasToString("`b` IS NOT NULL");
    assertThat(
            newInListPredicate(
                column("d", Type.DECIMAL), List.of(new BigDecimal("2.25"), new BigDecimal("1"))))
        .hasToString("`d` IN (1.00, 2.25)");
  }

  @Test
  void predicatesOnOneColumnAreMerged() {
    ColumnSchema i = column("i", Type.INT32);
    KuduPredicate from = newComparisonPredicate(i, ComparisonOp.GREATER_EQUAL, 5);
    KuduPredicate to = newComparisonPredicate(i, ComparisonOp.LESS, 9);
    assertThat(from.merge(to)).hasToString("`i` >= 5 AND `i` < 9");
    assertThat(from.merge(newComparisonPredicate(i, ComparisonOp.LESS, 6))).hasToString("`i` = 5");
    assertThat(from.merge(newComparisonPredicate(i, ComparisonOp.LESS, 5))).hasToString("`i` NONE");
    assertThat(from.merge(newInListPredicate(i, List.of(1, 6, 7)))).hasToString("`i` IN (6, 7)");
    assertThatThrownBy(
            () -> from.merge(newComparisonPredicate(column("j", Type.INT32), ComparisonOp.LESS, 1)))
        .hasMessage("predicates from different columns may not be merged");
  }

  @Test
  void aNonePredicateCannotBeConvertedToAMessage() {
    KuduPredicate none = newInListPredicate(column("i", Type.INT32), List.of());
    assertThatThrownBy(none::toPB)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("can not convert None predicate to protobuf message");
  }

  static Stream<JsonNode> vectors() {
    return TestVectors.group("predicates");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void messagesOfThePublishedClientAreReadAndWrittenBack(JsonNode vector) throws IOException {
    ColumnPredicatePB pb = ColumnPredicatePB.parseFrom(TestVectors.hex(vector.get("pb")));
    String type = vector.get("column_type").asText().replace("Type: ", "");
    Type known = type.startsWith("decimal") ? null : Type.valueOf(type.toUpperCase(Locale.ROOT));
    if (known == null) {
      return; // the vector does not contain its precision
    }
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("key", Type.INT8).key(true).build(),
                column(pb.getColumn(), known)));
    KuduPredicate read = KuduPredicate.fromPB(schema, pb);
    assertThat(read.toPB()).isEqualTo(pb);
    List<KuduPredicate> twice = List.of(read, read);
    assertThat(KuduPredicate.deserialize(schema, KuduPredicate.serialize(twice))).isEqualTo(twice);
  }

  @Test
  void aNonePredicateCanBeSerializedWithOthers() throws IOException {
    ColumnSchema column = column("i", Type.INT32);
    List<KuduPredicate> predicates =
        List.of(
            newComparisonPredicate(column, ComparisonOp.LESS, Integer.MIN_VALUE),
            newComparisonPredicate(column, ComparisonOp.EQUAL, 7));
    byte[] bytes = KuduPredicate.serialize(predicates);
    assertThat(KuduPredicate.deserialize(new Schema(List.of(column)), bytes)).isEqualTo(predicates);
  }

  /** A comparison in Java and the predicate for the same comparison match the same values. */
  @Property
  void comparisonsMatchLikeJavaComparisons(
      @ForAll int bound, @ForAll int value, @ForAll ComparisonOp op) {
    ColumnSchema column = column("i", Type.INT32);
    for (int near : new int[] {value, bound, bound - 1, bound + 1}) {
      boolean expected =
          switch (op) {
            case GREATER -> near > bound;
            case GREATER_EQUAL -> near >= bound;
            case EQUAL -> near == bound;
            case LESS -> near < bound;
            case LESS_EQUAL -> near <= bound;
          };
      KuduPredicate predicate = newComparisonPredicate(column, op, bound);
      assertThat(ColumnPredicates.matches(predicate.toCommon(), CellForm.of(column, near)))
          .isEqualTo(expected);
    }
  }

  @Test
  void bloomFiltersMatchInsertedValues() {
    BloomFilter filter = BloomFilter.byCountAndFPRate(1000, 0.01);
    for (int i = 0; i < 1000; i++) {
      filter.put(i);
    }
    ColumnSchema column = column("i", Type.INT32);
    KuduPredicate predicate =
        KuduPredicate.newInBloomFilterPredicate(column, List.of(filter), null, 900);
    int passedOthers = 0;
    for (int i = 0; i < 1000; i++) {
      assertThat(filter.mayContain(i)).isTrue();
      assertThat(ColumnPredicates.matches(predicate.toCommon(), CellForm.of(column, i)))
          .isEqualTo(i < 900);
      passedOthers += filter.mayContain(1_000_000 + i) ? 1 : 0;
    }
    assertThat(passedOthers).isLessThan(40);
    assertThat(predicate).hasToString("`i` IN 1 BLOOM FILTERS AND `i` < 900");
    BloomFilter text = BloomFilter.byCount(10);
    text.put("apple");
    assertThat(text.mayContain("apple")).isTrue();
    KuduPredicate nothing =
        KuduPredicate.newInBloomFilterPredicate(column, List.of(BloomFilter.bySize(64)));
    assertThat(nothing).hasToString("`i` NONE");
  }

  @Test
  @SuppressWarnings("deprecation")
  void deprecatedRangePredicatesAreConverted() {
    ColumnSchema i = column("i", Type.INT32);
    ColumnRangePredicate range = new ColumnRangePredicate(i);
    range.setLowerBound(3);
    range.setUpperBound(9);
    assertThat(range.toKuduPredicate()).hasToString("`i` >= 3 AND `i` < 10");
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("key", Type.INT8).key(true).build(), i));
    byte[] bytes = ColumnRangePredicate.toByteArray(List.of(range));
    assertThat(ColumnRangePredicate.fromByteArray(bytes, schema))
        .containsExactly(range.toKuduPredicate());
    assertThatThrownBy(() -> range.setLowerBound("x"))
        .hasMessage("i's type isn't [Type: string, Type: varchar], it's int32");
  }

  @Test
  void equalPredicatesAreEqual() {
    ColumnSchema s = column("s", Type.STRING);
    KuduPredicate one = newComparisonPredicate(s, ComparisonOp.EQUAL, "x");
    KuduPredicate two = newInListPredicate(s, Arrays.asList("x", "x"));
    assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
    assertThat(one).isNotEqualTo(newComparisonPredicate(s, ComparisonOp.EQUAL, "y"));
    assertThat(newInListPredicate(s, Collections.emptyList())).isNotEqualTo(one);
  }
}
