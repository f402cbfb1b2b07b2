package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.proto.expression.AggregatePB;
import dev.kudu4j.common.proto.expression.AggregationPB;
import dev.kudu4j.common.proto.expression.ConditionPB;
import dev.kudu4j.common.proto.expression.ExpressionPB;
import dev.kudu4j.common.proto.expression.NumberPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts expressions and aggregations to and from wire messages. An invalid message is
 * INVALID_ARGUMENT, which a tablet server reports as {@code INVALID_SCAN_SPEC}.
 */
public final class ExpressionWire {
  private static final int MAX_NUMBER_BYTES = 16;
  private static final int MAX_SCALE = 38;

  // Each node of a tree takes some kilobytes of a server while it is evaluated.
  private static final int MAX_AGGREGATES = 1000;
  private static final int MAX_EXPRESSION_BYTES = 16 << 10;

  private ExpressionWire() {}

  // ---------------------------------------------------------------- arithmetic

  /**
   * @param tablet has the columns of the expression
   */
  public static Expression fromWire(ExpressionPB pb, Schema tablet) {
    if (pb.getSerializedSize() > MAX_EXPRESSION_BYTES) {
      throw KuduException.invalidArgument(
          "An expression has %d bytes; use at most %d",
          pb.getSerializedSize(), MAX_EXPRESSION_BYTES);
    }
    return switch (pb.getExpressionCase()) {
      case COLUMN -> new Expression.Column(PredicateWire.column(pb.getColumn(), tablet));
      case NUMBER -> new Expression.Literal(number(pb.getNumber()));
      case BINARY -> binary(pb.getBinary(), tablet);
      case EXPRESSION_NOT_SET -> throw KuduException.invalidArgument("Unknown expression");
    };
  }

  private static BigDecimal number(NumberPB pb) {
    int bytes = pb.getUnscaled().size();
    if (bytes == 0 || bytes > MAX_NUMBER_BYTES || pb.getScale() < 0 || pb.getScale() > MAX_SCALE) {
      throw KuduException.invalidArgument(
          "A number must have 1 to %d bytes and a scale from 0 to %d, not %d bytes and scale %d",
          MAX_NUMBER_BYTES, MAX_SCALE, bytes, pb.getScale());
    }
    return new BigDecimal(new BigInteger(pb.getUnscaled().toByteArray()), pb.getScale());
  }

  private static Expression binary(ExpressionPB.Binary pb, Schema tablet) {
    Expression left = fromWire(pb.getLeft(), tablet);
    Expression right = fromWire(pb.getRight(), tablet);
    return switch (pb.getOperator()) {
      case ADD -> left.plus(right);
      case SUBTRACT -> left.minus(right);
      case MULTIPLY -> left.times(right);
      case UNKNOWN -> throw KuduException.invalidArgument("Unknown operator in expression");
    };
  }

  /**
   * @throws KuduException INVALID_ARGUMENT for a literal of more than 38 digits
   */
  public static ExpressionPB toWire(Expression expression) {
    ExpressionPB.Builder pb = ExpressionPB.newBuilder();
    if (expression instanceof Expression.Column column) {
      pb.setColumn(column.column().name());
    } else if (expression instanceof Expression.Literal literal) {
      pb.setNumber(number(literal.value()));
    } else if (expression instanceof Expression.Sum sum) {
      pb.setBinary(binary(ExpressionPB.Binary.Operator.ADD, sum.left(), sum.right()));
    } else if (expression instanceof Expression.Difference difference) {
      pb.setBinary(
          binary(ExpressionPB.Binary.Operator.SUBTRACT, difference.left(), difference.right()));
    } else {
      Expression.Product product = (Expression.Product) expression;
      pb.setBinary(binary(ExpressionPB.Binary.Operator.MULTIPLY, product.left(), product.right()));
    }
    return pb.build();
  }

  private static NumberPB number(BigDecimal value) {
    BigDecimal scaled = value.scale() < 0 ? value.setScale(0) : value;
    byte[] unscaled = scaled.unscaledValue().toByteArray();
    if (unscaled.length > MAX_NUMBER_BYTES || scaled.scale() > MAX_SCALE) {
      throw KuduException.invalidArgument("The number %s has more than 38 digits", value);
    }
    return NumberPB.newBuilder()
        .setUnscaled(ByteString.copyFrom(unscaled))
        .setScale(scaled.scale())
        .build();
  }

  private static ExpressionPB.Binary binary(
      ExpressionPB.Binary.Operator operator, Expression left, Expression right) {
    return ExpressionPB.Binary.newBuilder()
        .setOperator(operator)
        .setLeft(toWire(left))
        .setRight(toWire(right))
        .build();
  }

  // ---------------------------------------------------------------- aggregates

  /**
   * @param tablet has the columns of the aggregation
   * @throws KuduException INVALID_ARGUMENT also if no group and no aggregate is requested;
   *     NOT_SUPPORTED if an aggregate cannot be computed
   */
  public static Aggregation fromWire(AggregationPB pb, Schema tablet) {
    if (pb.getGroupByCount() == 0 && pb.getAggregatesCount() == 0) {
      throw KuduException.invalidArgument(
          "An aggregation must have a grouping column or an aggregate");
    }
    if (pb.getAggregatesCount() > MAX_AGGREGATES) {
      throw KuduException.invalidArgument(
          "An aggregation has %d aggregates; use at most %d",
          pb.getAggregatesCount(), MAX_AGGREGATES);
    }
    List<ColumnSchema> groupBy =
        pb.getGroupByList().stream().map(name -> PredicateWire.comparable(name, tablet)).toList();
    List<Aggregate> aggregates = new ArrayList<>();
    Map<ConditionPB, Condition> filters = new HashMap<>(); // equal filters are evaluated once
    for (AggregatePB aggregate : pb.getAggregatesList()) {
      Aggregate all = unfiltered(aggregate, tablet);
      aggregates.add(
          aggregate.hasFilter()
              ? all.filteredBy(
                  filters.computeIfAbsent(
                      aggregate.getFilter(), filter -> ConditionWire.fromWire(filter, tablet)))
              : all);
    }
    return new Aggregation(groupBy, aggregates);
  }

  public static Aggregate fromWire(AggregatePB pb, Schema tablet) {
    Aggregate all = unfiltered(pb, tablet);
    return pb.hasFilter() ? all.filteredBy(ConditionWire.fromWire(pb.getFilter(), tablet)) : all;
  }

  private static Aggregate unfiltered(AggregatePB pb, Schema tablet) {
    if (!pb.hasArgument() && pb.getFunction() != AggregatePB.Function.COUNT) {
      throw KuduException.invalidArgument("Aggregate %s requires an argument", pb.getFunction());
    }
    return new Aggregate(
        switch (pb.getFunction()) {
          case COUNT -> Aggregate.Function.COUNT;
          case SUM -> Aggregate.Function.SUM;
          case MIN -> Aggregate.Function.MIN;
          case MAX -> Aggregate.Function.MAX;
          case DISTINCT_SKETCH -> Aggregate.Function.DISTINCT_SKETCH;
          case UNKNOWN -> throw KuduException.invalidArgument("Unknown aggregate function");
        },
        pb.hasArgument() ? fromWire(pb.getArgument(), tablet) : null);
  }

  /**
   * @param aggregation without AVG, which clients compute from SUM and COUNT
   */
  public static AggregationPB toWire(Aggregation aggregation) {
    AggregationPB.Builder pb = AggregationPB.newBuilder();
    aggregation.groupBy().forEach(column -> pb.addGroupBy(column.name()));
    aggregation.aggregates().forEach(aggregate -> pb.addAggregates(toWire(aggregate)));
    return pb.build();
  }

  /**
   * @param aggregate not AVG
   */
  public static AggregatePB toWire(Aggregate aggregate) {
    AggregatePB.Builder pb =
        AggregatePB.newBuilder()
            .setFunction(
                switch (aggregate.function()) {
                  case COUNT -> AggregatePB.Function.COUNT;
                  case SUM -> AggregatePB.Function.SUM;
                  case MIN -> AggregatePB.Function.MIN;
                  case MAX -> AggregatePB.Function.MAX;
                  case DISTINCT_SKETCH -> AggregatePB.Function.DISTINCT_SKETCH;
                  case AVG -> throw new IllegalArgumentException("AVG is not sent to servers");
                });
    if (aggregate.argument() != null) {
      pb.setArgument(toWire(aggregate.argument()));
    }
    if (aggregate.filter() != null) {
      pb.setFilter(ConditionWire.toWire(aggregate.filter()));
    }
    return pb.build();
  }
}
