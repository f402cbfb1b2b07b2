package dev.kudu4j.spark.sql;

import static dev.kudu4j.spark.sql.ImpalaSqlParser.NUMBER;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.STRING;

import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BelowContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BetweenContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BoundContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ConstantContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.HashedRangeContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.HashingContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.OneValueContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.RangeContext;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;

/**
 * Writes ranges in the syntax of the catalog's properties. Numbers and plain text stay as they are;
 * any other bound is an expression, of which the range gets the value.
 */
final class RangeText {
  private final StatementText text;
  private final ConstantEvaluator evaluator;

  RangeText(StatementText text, ConstantEvaluator evaluator) {
    this.text = text;
    this.evaluator = evaluator;
  }

  /**
   * A range with its own hash schema, if it has one.
   *
   * @param columns the columns of a hash dimension; empty for the whole key
   */
  String of(HashedRangeContext range, Function<HashingContext, List<String>> columns) {
    return of(range.range())
        + range.hashing().stream()
            .map(hashing -> hashing(hashing, columns.apply(hashing)))
            .collect(Collectors.joining());
  }

  private static String hashing(HashingContext hashing, List<String> columns) {
    String names =
        columns.isEmpty()
            ? ""
            : columns.stream().map(NameList::quoted).collect(Collectors.joining(", ", "(", ") "));
    return " HASH " + names + "PARTITIONS " + hashing.NUMBER().getText();
  }

  String of(RangeContext range) {
    if (range instanceof OneValueContext one) {
      return "VALUE = " + bound(one.bound());
    }
    if (range instanceof BelowContext below) {
      return "VALUES " + below.upperSign.getText() + " " + bound(below.upper);
    }
    BetweenContext between = (BetweenContext) range;
    String from = bound(between.lower) + " " + between.lowerSign.getText() + " VALUES";
    return between.upper == null
        ? from
        : from + " " + between.upperSign.getText() + " " + bound(between.upper);
  }

  private String bound(BoundContext bound) {
    if (bound.constant().size() == 1) {
      return value(bound.constant(0));
    }
    return bound.constant().stream().map(this::value).collect(Collectors.joining(", ", "(", ")"));
  }

  private String value(ConstantContext constant) {
    String constantText = text.of(constant);
    Token first = constant.getStart();
    if (first == constant.getStop()) {
      if (first.getType() == NUMBER && constantText.matches("\\d+(\\.\\d+)?")) {
        return constantText;
      }
      if (first.getType() == STRING && !constantText.contains("\\")) {
        return quoted(SqlText.unquotedLiteral(constantText));
      }
    }
    return literal(constant, evaluated(constant, constantText));
  }

  private Object evaluated(ConstantContext constant, String expression) {
    try {
      return evaluator.evaluate(expression);
    } catch (Exception e) { // Spark throws checked ones
      SqlException wrong = wrong(constant, expression, "is not a constant: " + e.getMessage());
      wrong.initCause(e);
      throw wrong;
    }
  }

  private static String literal(ConstantContext constant, Object value) {
    if (value instanceof Double || value instanceof Float) {
      return new BigDecimal(value.toString()).toPlainString();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof byte[] bytes) {
      return quoted(utf8(constant, bytes));
    }
    if (value == null) {
      throw wrong(constant, "NULL", "cannot be a bound; leave the bound out for an open range");
    }
    return quoted(value.toString()); // text, dates, times with their offset
  }

  private static String utf8(ConstantContext constant, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw wrong(
          constant, "a binary bound", "must be UTF-8; create such a range with Kudu's client");
    }
  }

  private static SqlException wrong(ConstantContext constant, String what, String reason) {
    return Grammar.error(constant, "RANGE PARTITION: " + what + " " + reason);
  }

  /** The value as a string in the syntax of the property, not of Spark. */
  private static String quoted(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
