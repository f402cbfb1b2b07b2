package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.spark.statistics.ColumnAnalysis;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table has 1000 rows. Column {@code n} has 50 different values from 100 to 200, and 200 NULLs.
 */
class SelectivityTest {
  private static final int ROWS = 1000;
  private static final ColumnAnalysis NUMBERS =
      new ColumnAnalysis(
          OptionalLong.of(50),
          OptionalLong.of(200),
          Optional.of(100),
          Optional.of(200),
          OptionalLong.empty(),
          OptionalLong.empty());
  private static final Selectivity SELECTIVITY = new Selectivity(ROWS, Map.of("n", NUMBERS));

  private static double of(Predicate... filters) {
    return SELECTIVITY.of(List.of(filters));
  }

  private static Predicate filter(String name, Expression... children) {
    return new Predicate(name, children);
  }

  private static Predicate n(String comparison, int... values) {
    return comparison(comparison, "n", values);
  }

  private static Predicate comparison(String comparison, String column, int... values) {
    Expression[] children = new Expression[values.length + 1];
    children[0] = Expressions.column(column);
    for (int i = 0; i < values.length; i++) {
      children[i + 1] = Expressions.literal(values[i]);
    }
    return filter(comparison, children);
  }

  private static ColumnAnalysis between(Object min, Object max) {
    return new ColumnAnalysis(
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.of(min),
        Optional.of(max),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private static void assertPart(double found, double part) {
    assertThat(found).isCloseTo(part, within(1e-9));
  }

  // ---------------------------------------------------------------- ranges

  @ParameterizedTest
  @CsvSource({
    "<, 125, 0.25",
    "<=, 125, 0.25",
    ">, 125, 0.75",
    ">=, 125, 0.75",
    "<, 100, 0",
    ">, 200, 0",
    "<=, 200, 1",
    ">=, 100, 1"
  })
  void numbersAreEvenlyDistributed(String comparison, int value, double part) {
    assertPart(of(n(comparison, value)), part);
  }

  /** Rows may have been added since the analysis, so no value can be assumed absent. */
  @ParameterizedTest
  @ValueSource(strings = {"<", "<=", ">", ">="})
  void valuesOutsideTheAnalyzedRangeKeepAllRows(String comparison) {
    for (int value : new int[] {Integer.MIN_VALUE, 0, 99, 201, Integer.MAX_VALUE}) {
      assertPart(of(n(comparison, value)), 1);
    }
  }

  @Test
  void decimalsAndDatesAreNumbers() {
    Selectivity mixed =
        new Selectivity(
            ROWS,
            Map.of(
                "price", between(Decimal.apply("1.00"), Decimal.apply("5.00")),
                "day", between(10, 20)));
    Expression two = LiteralValue.apply(Decimal.apply("2.00"), DataTypes.createDecimalType(3, 2));
    assertPart(mixed.of(List.of(filter("<", Expressions.column("price"), two))), 0.25);
    Expression day = LiteralValue.apply(18, DataTypes.DateType);
    assertPart(mixed.of(List.of(filter(">", Expressions.column("day"), day))), 0.2);
  }

  @Test
  void rangesWithoutInformationKeepAllRows() {
    Selectivity oneValue = new Selectivity(ROWS, Map.of("n", between(7, 7)));
    assertPart(oneValue.of(List.of(n("<", 7))), 1);
    assertPart(of(filter("<", Expressions.column("n"), Expressions.column("m"))), 1);
    Expression none = LiteralValue.apply(null, DataTypes.IntegerType);
    assertPart(of(filter("<", Expressions.column("n"), none)), 1);
    assertPart(of(comparison("<", "unanalyzed", 5)), 1);
    assertPart(of(filter("STARTS_WITH", Expressions.column("n"), Expressions.literal("a"))), 1);
    assertPart(of(filter("<", Expressions.column("n.field"), Expressions.literal(125))), 1);
  }

  // ---------------------------------------------------------------- single values and NULL

  @Test
  void valuesAreEquallyFrequent() {
    assertPart(of(n("=", 150)), 0.02);
    assertPart(of(n("<=>", 150)), 0.02);
    assertPart(of(n("IN", 1, 2, 3)), 0.06);
    assertPart(of(n("IN", new int[80])), 1);
    assertPart(of(comparison("=", "unanalyzed", 5)), 1);
    Selectivity uncounted = new Selectivity(ROWS, Map.of("n", between(1, 2)));
    assertPart(uncounted.of(List.of(n("=", 1))), 1);
  }

  @Test
  void nullsAreThoseCounted() {
    assertPart(of(n("IS_NULL")), 0.2);
    assertPart(of(n("IS_NOT_NULL")), 0.8);
    assertPart(of(comparison("IS_NULL", "unanalyzed")), 1);
    assertPart(of(comparison("IS_NOT_NULL", "unanalyzed")), 1);
    Selectivity shrunk = new Selectivity(100, Map.of("n", NUMBERS));
    assertPart(shrunk.of(List.of(n("IS_NULL"))), 1);
    Selectivity empty = new Selectivity(0, Map.of("n", NUMBERS));
    assertPart(empty.of(List.of(n("IS_NULL"))), 1);
    assertPart(empty.of(List.of(n("IS_NOT_NULL"))), 1);
  }

  // ---------------------------------------------------------------- combinations

  @Test
  void columnsAreIndependent() {
    assertPart(of(), 1);
    assertPart(of(n("<", 150), n("IS_NOT_NULL")), 0.4);
    assertPart(of(filter("AND", n("<", 150), n("=", 120))), 0.01);
    assertPart(of(filter("OR", n("<", 120), n("=", 150))), 0.22);
    assertPart(of(filter("OR", n("<", 180), n(">", 120))), 1);
    assertPart(of(filter("OR", n("=", 150), n("<", 99))), 1);
    assertPart(of(filter("NOT", n("=", 150))), 1);
  }
}
