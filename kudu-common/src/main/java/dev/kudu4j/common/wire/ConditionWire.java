package dev.kudu4j.common.wire;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.expression.NumberType;
import dev.kudu4j.common.proto.expression.ConditionPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * Converts conditions to and from wire messages. An invalid message is INVALID_ARGUMENT, which a
 * tablet server reports as {@code INVALID_SCAN_SPEC}.
 */
public final class ConditionWire {
  // Each part takes memory of a server while the condition is evaluated.
  private static final int MAX_PARTS = 5000;
  private static final int MAX_PATTERN = 64 << 10;

  private ConditionWire() {}

  /**
   * @param tablet has the columns of the condition
   * @throws KuduException NOT_SUPPORTED for arithmetic on a column that does not support it
   */
  public static Condition fromWire(ConditionPB pb, Schema tablet) {
    if (parts(pb) > MAX_PARTS) {
      throw KuduException.invalidArgument("A condition has more than %d parts", MAX_PARTS);
    }
    return convert(pb, tablet);
  }

  /** The number of nodes of the tree, and of columns of samples. */
  private static int parts(ConditionPB pb) {
    return switch (pb.getConditionCase()) {
      case AND -> 1 + pb.getAnd().getPartsList().stream().mapToInt(ConditionWire::parts).sum();
      case OR -> 1 + pb.getOr().getPartsList().stream().mapToInt(ConditionWire::parts).sum();
      case NOT -> 1 + parts(pb.getNot());
      case SAMPLE -> 1 + pb.getSample().getColumnsCount();
      default -> 1;
    };
  }

  private static Condition convert(ConditionPB pb, Schema tablet) {
    return switch (pb.getConditionCase()) {
      case AND -> new Condition.And(parts(pb.getAnd(), tablet));
      case OR -> new Condition.Or(parts(pb.getOr(), tablet));
      case NOT -> new Condition.Not(convert(pb.getNot(), tablet));
      case MATCH -> new Condition.Match(PredicateWire.fromWire(pb.getMatch(), tablet));
      case LIKE -> like(pb.getLike(), tablet);
      case NUMBERS -> numbers(pb.getNumbers(), tablet);
      case COLUMNS -> columns(pb.getColumns(), tablet);
      case SAMPLE -> sample(pb.getSample(), tablet);
      case CONDITION_NOT_SET ->
          throw KuduException.invalidArgument(
              "Unknown condition; its sender may be newer than this version of Kudu4j");
    };
  }

  private static List<Condition> parts(ConditionPB.List pb, Schema tablet) {
    return pb.getPartsList().stream().map(part -> convert(part, tablet)).toList();
  }

  private static Condition like(ConditionPB.Like pb, Schema tablet) {
    ColumnSchema column = PredicateWire.column(pb.getColumn(), tablet);
    if (column.type() != DataType.STRING && column.type() != DataType.VARCHAR) {
      throw KuduException.invalidArgument(
          "LIKE needs a column of type STRING or VARCHAR, not %s", column);
    }
    if (pb.getPattern().length() > MAX_PATTERN) {
      throw KuduException.invalidArgument(
          "The pattern of LIKE has %d characters; use at most %d",
          pb.getPattern().length(), MAX_PATTERN);
    }
    if (pb.getEscape().length() != 1) {
      throw KuduException.invalidArgument(
          "The escape of LIKE must be one character, not '%s'", pb.getEscape());
    }
    return new Condition.Like(column, LikePattern.of(pb.getPattern(), pb.getEscape().charAt(0)));
  }

  private static Condition numbers(ConditionPB.NumberComparison pb, Schema tablet) {
    Condition.NumberComparison comparison =
        new Condition.NumberComparison(
            comparison(pb.getComparison()),
            ExpressionWire.fromWire(pb.getLeft(), tablet),
            ExpressionWire.fromWire(pb.getRight(), tablet));
    NumberType.of(comparison.left());
    NumberType.of(comparison.right());
    return comparison;
  }

  private static Condition columns(ConditionPB.ColumnComparison pb, Schema tablet) {
    ColumnSchema left = PredicateWire.comparable(pb.getLeft(), tablet);
    ColumnSchema right = PredicateWire.comparable(pb.getRight(), tablet);
    if (!Condition.areComparable(left, right)) {
      throw KuduException.invalidArgument("Columns %s and %s are of different types", left, right);
    }
    return new Condition.ColumnComparison(comparison(pb.getComparison()), left, right);
  }

  private static Condition sample(ConditionPB.Sample pb, Schema tablet) {
    List<ColumnSchema> columns =
        pb.getColumnsList().stream().map(name -> PredicateWire.comparable(name, tablet)).toList();
    return new Condition.Sample(columns, pb.getLower(), pb.getUpper(), pb.getSeed());
  }

  private static Comparison comparison(ConditionPB.Comparison pb) {
    return switch (pb) {
      case EQUAL -> Comparison.EQUAL;
      case NOT_EQUAL -> Comparison.NOT_EQUAL;
      case LESS -> Comparison.LESS;
      case LESS_EQUAL -> Comparison.LESS_EQUAL;
      case GREATER -> Comparison.GREATER;
      case GREATER_EQUAL -> Comparison.GREATER_EQUAL;
      case UNKNOWN -> throw KuduException.invalidArgument("Unknown comparison in condition");
    };
  }

  public static ConditionPB toWire(Condition condition) {
    ConditionPB.Builder pb = ConditionPB.newBuilder();
    if (condition instanceof Condition.And and) {
      pb.setAnd(list(and.parts()));
    } else if (condition instanceof Condition.Or or) {
      pb.setOr(list(or.parts()));
    } else if (condition instanceof Condition.Not not) {
      pb.setNot(toWire(not.part()));
    } else if (condition instanceof Condition.Match match) {
      pb.setMatch(PredicateWire.toWire(match.predicate()));
    } else if (condition instanceof Condition.Like like) {
      pb.getLikeBuilder()
          .setColumn(like.column().name())
          .setPattern(like.pattern().text())
          .setEscape(String.valueOf(like.pattern().escape()));
    } else if (condition instanceof Condition.NumberComparison numbers) {
      pb.getNumbersBuilder()
          .setComparison(comparison(numbers.comparison()))
          .setLeft(ExpressionWire.toWire(numbers.left()))
          .setRight(ExpressionWire.toWire(numbers.right()));
    } else if (condition instanceof Condition.ColumnComparison columns) {
      pb.getColumnsBuilder()
          .setComparison(comparison(columns.comparison()))
          .setLeft(columns.left().name())
          .setRight(columns.right().name());
    } else if (condition instanceof Condition.Sample sample) {
      pb.getSampleBuilder()
          .addAllColumns(sample.columns().stream().map(ColumnSchema::name).toList())
          .setLower(sample.lower())
          .setUpper(sample.upper())
          .setSeed(sample.seed());
    }
    return pb.build();
  }

  private static ConditionPB.List list(List<Condition> parts) {
    ConditionPB.List.Builder list = ConditionPB.List.newBuilder();
    parts.forEach(part -> list.addParts(toWire(part)));
    return list.build();
  }

  private static ConditionPB.Comparison comparison(Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> ConditionPB.Comparison.EQUAL;
      case NOT_EQUAL -> ConditionPB.Comparison.NOT_EQUAL;
      case LESS -> ConditionPB.Comparison.LESS;
      case LESS_EQUAL -> ConditionPB.Comparison.LESS_EQUAL;
      case GREATER -> ConditionPB.Comparison.GREATER;
      case GREATER_EQUAL -> ConditionPB.Comparison.GREATER_EQUAL;
    };
  }
}
