package dev.kudu4j.spark.sql;

import static dev.kudu4j.spark.sql.ImpalaSqlParser.NUMBER;
import static dev.kudu4j.spark.sql.ImpalaSqlParser.STRING;

import dev.kudu4j.spark.sql.ImpalaSqlParser.BelowContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BetweenContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BoundContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ConstantContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.OneValueContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.RangeContext;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
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
    String said = text.of(constant);
    Token first = constant.getStart();
    if (first == constant.getStop()) {
      if (first.getType() == NUMBER && said.matches("\\d+(\\.\\d+)?")) {
        return said;
      }
      if (first.getType() == STRING && !said.contains("\\")) {
        return quoted(SqlText.unquotedLiteral(said));
      }
    }
    return literal(constant, evaluated(constant, said));
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
    if (value instanceof Timestamp timestamp) {
      return quoted(timestamp.toInstant().toString());
    }
    if (value instanceof byte[] bytes) {
      return quoted(utf8(constant, bytes));
    }
    if (value == null) {
      throw wrong(constant, "NULL", "cannot be a bound; leave the bound out for an open range");
    }
    return quoted(value.toString()); // text, dates
  }

  private static String utf8(ConstantContext constant, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw wrong(
          constant, "a binary bound", "must be UTF-8; create such a range with Kudu's client");
    }
  }

  private static SqlException wrong(ConstantContext constant, String what, String why) {
    return Grammar.error(constant, "RANGE PARTITION: " + what + " " + why);
  }

  /** In the syntax of the property, not of Spark. */
  private static String quoted(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
