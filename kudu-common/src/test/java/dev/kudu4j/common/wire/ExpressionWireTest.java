package dev.kudu4j.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.ExpressionText;
import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.expression.AggregatePB;
import dev.kudu4j.common.proto.expression.AggregationPB;
import dev.kudu4j.common.proto.expression.ConditionPB;
import dev.kudu4j.common.proto.expression.ExpressionPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpressionWireTest {
  private static final ColumnSchema NUMBER = ColumnSchema.builder("n", DataType.INT32).build();
  private static final ColumnSchema AMOUNT =
      ColumnSchema.builder("amount", DataType.DECIMAL64).decimal(15, 2).nullable(true).build();
  private static final ColumnSchema NAME =
      ColumnSchema.builder("name", DataType.STRING).nullable(true).build();
  private static final ColumnSchema RATIO = ColumnSchema.builder("ratio", DataType.DOUBLE).build();
  private static final Schema TABLE = new Schema(List.of(NUMBER, AMOUNT, NAME, RATIO));

  @Test
  void conditionsAreReadBackFromTheWire() {
    Condition condition =
        new Condition.Or(
            List.of(
                new Condition.Not(new Condition.Like(NAME, LikePattern.of("a!%%", '!'))),
                new Condition.And(
                    List.of(
                        new Condition.Match(new ColumnPredicate.IsNull(AMOUNT)),
                        new Condition.NumberComparison(
                            Comparison.GREATER_EQUAL,
                            Expression.column(AMOUNT).times(Expression.literal("-1.50")),
                            Expression.column(NUMBER).minus(Expression.literal("7"))),
                        new Condition.ColumnComparison(Comparison.NOT_EQUAL, NAME, NAME)))));
    Condition read = ConditionWire.fromWire(ConditionWire.toWire(condition), TABLE);
    assertThat(ExpressionText.of(read, false))
        .isEqualTo(ExpressionText.of(condition, false))
        .isEqualTo(
            "(NOT (name LIKE 'a!%%') OR (amount IS NULL AND amount * -1.50 >= n - 7 AND name <>"
                + " name))");
    assertThat(ExpressionText.of(read, true)).doesNotContain("1.50", "a!");
  }

  @Test
  void samplesAreReadBackFromTheWire() {
    Condition.Sample sample = new Condition.Sample(List.of(NUMBER, NAME), 0.25, 1 / 3.0, -7);
    Condition condition = new Condition.Not(new Condition.Or(List.of(sample)));
    assertThat(ConditionWire.fromWire(ConditionWire.toWire(condition), TABLE)).isEqualTo(condition);
    assertThat(ExpressionText.of(sample, true))
        .isEqualTo("SAMPLE(n, name, 0.25 TO 0.3333333333333333, SEED -7)");
    assertThat(condition.hasSample()).isTrue();
    assertThat(new Condition.Match(new ColumnPredicate.IsNull(NAME)).hasSample()).isFalse();
  }

  /** What a version of Kudu4j sees that does not know a kind of condition. */
  @Test
  void conditionsOfNewerSendersAreRejected() throws Exception {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(
                999,
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build())
            .build();
    ConditionPB unknown = ConditionPB.parseFrom(later.toByteString());
    rejects(unknown, "Unknown condition");
    rejects(ConditionPB.newBuilder().setNot(unknown).build(), "Unknown condition");
    ConditionPB.List list = ConditionPB.List.newBuilder().addParts(unknown).build();
    rejects(ConditionPB.newBuilder().setOr(list).build(), "Unknown condition");
  }

  @Test
  void invalidSamplesAreRejected() {
    rejects(sample(0, 0.5), "needs a column");
    rejects(sample(0, 0.5, "nope"), "Unknown column in predicate: nope");
    rejects(sample(0, 0.5, "ratio"), "Cannot sample by ratio: it is DOUBLE");
    rejects(sample(-0.1, 0.5, "n"), "from 0 to 1, not from -0.1 to 0.5");
    rejects(sample(0.6, 0.5, "n"), "from 0 to 1");
    rejects(sample(0, 1.01, "n"), "from 0 to 1");
    rejects(sample(Double.NaN, 1, "n"), "from 0 to 1");
    rejects(sample(0, Double.NaN, "n"), "from 0 to 1");
    rejects(
        sample(0, 0.5, Collections.nCopies(5001, "n").toArray(new String[0])),
        "more than 5000 parts");
  }

  private static ConditionPB sample(double lower, double upper, String... columns) {
    ConditionPB.Builder sample = ConditionPB.newBuilder();
    sample.getSampleBuilder().setLower(lower).setUpper(upper).addAllColumns(List.of(columns));
    return sample.build();
  }

  @Test
  void aggregationsAreReadBackFromTheWire() {
    Aggregation aggregation =
        new Aggregation(
            List.of(NAME),
            List.of(
                Aggregate.count(),
                Aggregate.sum(Expression.column(AMOUNT).plus(Expression.column(NUMBER)))
                    .filteredBy(new Condition.Match(new ColumnPredicate.IsNotNull(NAME))),
                Aggregate.min(Expression.column(NAME))));
    Aggregation read = ExpressionWire.fromWire(ExpressionWire.toWire(aggregation), TABLE);
    assertThat(read.groupBy()).containsExactly(NAME);
    assertThat(read.aggregates().stream().map(a -> ExpressionText.of(a, false)))
        .containsExactly(
            "COUNT(*)", "SUM(amount + n) FILTER (WHERE name IS NOT NULL)", "MIN(name)");
    assertThat(read.resultColumns().columns().stream().map(ColumnSchema::type))
        .containsExactly(DataType.STRING, DataType.INT64, DataType.DECIMAL128, DataType.STRING);
  }

  @Test
  void invalidMessagesAreRejected() {
    rejects(ConditionPB.getDefaultInstance(), "Unknown condition");
    rejects(like("amount", "a", "\\"), "LIKE needs a column of type STRING");
    rejects(like("name", "a", ""), "escape of LIKE must be one character");
    rejects(like("name", "a\\", "\\"), "escape character");
    rejects(like("nope", "a", "\\"), "Unknown column in predicate: nope");
    ConditionPB.Builder columns = ConditionPB.newBuilder();
    columns.getColumnsBuilder().setLeft("n").setRight("name");
    rejects(columns.build(), "different types");
    columns.getColumnsBuilder().setRight("n");
    rejects(columns.build(), "Unknown comparison");
    ConditionPB.Builder numbers = ConditionPB.newBuilder();
    numbers.getNumbersBuilder().setComparison(ConditionPB.Comparison.LESS);
    numbers.getNumbersBuilder().getLeftBuilder().setColumn("name");
    numbers.getNumbersBuilder().getRightBuilder().setColumn("n");
    rejects(numbers.build(), "does not support arithmetic");
    numbers.getNumbersBuilder().getLeftBuilder().getNumberBuilder().setScale(1_000_000_000);
    rejects(numbers.build(), "a scale from 0 to 38");
    numbers
        .getNumbersBuilder()
        .getLeftBuilder()
        .getNumberBuilder()
        .setScale(0)
        .setUnscaled(ByteString.copyFrom(new byte[17]));
    rejects(numbers.build(), "1 to 16 bytes");
    numbers.getNumbersBuilder().setLeft(ExpressionPB.getDefaultInstance());
    rejects(numbers.build(), "Unknown expression");
    assertThatThrownBy(() -> ExpressionWire.fromWire(AggregationPB.getDefaultInstance(), TABLE))
        .hasMessageContaining("must have a grouping column or an aggregate");
    AggregationPB sumOfNothing =
        AggregationPB.newBuilder()
            .addAggregates(AggregatePB.newBuilder().setFunction(AggregatePB.Function.SUM))
            .build();
    assertThatThrownBy(() -> ExpressionWire.fromWire(sumOfNothing, TABLE))
        .hasMessageContaining("SUM requires an argument");
    Expression tooLong = new Expression.Literal(new BigDecimal("1e40"));
    assertThatThrownBy(() -> ExpressionWire.toWire(tooLong)).hasMessageContaining("38 digits");
  }

  private static ConditionPB like(String column, String pattern, String escape) {
    ConditionPB.Builder like = ConditionPB.newBuilder();
    like.getLikeBuilder().setColumn(column).setPattern(pattern).setEscape(escape);
    return like.build();
  }

  private static void rejects(ConditionPB condition, String message) {
    assertThatThrownBy(() -> ConditionWire.fromWire(condition, TABLE))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(message);
  }
}
