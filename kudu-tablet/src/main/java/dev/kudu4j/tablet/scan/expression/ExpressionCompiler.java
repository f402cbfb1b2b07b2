package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.schema.ColumnSchema;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Compiles expressions into nodes. Equal expressions share a node, which is computed once per
 * chunk.
 */
public final class ExpressionCompiler {
  private final ToIntFunction<ColumnSchema> columnNumber;
  private final Map<Expression, NumberNode> nodes = new HashMap<>();

  /**
   * @param columnNumber returns the number of a column in a {@link
   *     dev.kudu4j.tablet.scan.block.RowBlock}
   */
  public ExpressionCompiler(ToIntFunction<ColumnSchema> columnNumber) {
    this.columnNumber = columnNumber;
  }

  /** Two nodes that are both floating, or both exact with the same scale. */
  public record Pair(NumberNode left, NumberNode right) {}

  /**
   * Compiles two expressions whose numbers will be compared.
   *
   * @throws KuduException NOT_SUPPORTED as {@link #compile(Expression)}
   */
  public Pair compile(Expression leftSide, Expression rightSide) {
    NumberNode left = compile(leftSide);
    NumberNode right = compile(rightSide);
    if (left.isFloating() || right.isFloating()) {
      return new Pair(floating(left), floating(right));
    }
    int scale = Math.max(left.scale(), right.scale());
    return new Pair(scaled(left, scale), scaled(right, scale));
  }

  /**
   * A node that is NULL where the column is NULL, and 0 elsewhere.
   *
   * @param column a column of any type
   */
  public NumberNode presence(ColumnSchema column) {
    return new PresenceNode(columnNumber.applyAsInt(column));
  }

  /**
   * @throws KuduException NOT_SUPPORTED for a column without arithmetic, and for a literal that
   *     does not fit into 64 bits at the scale of its context
   */
  public NumberNode compile(Expression expression) {
    NumberNode known = nodes.get(expression);
    if (known == null) {
      known = make(expression);
      nodes.put(expression, known);
    }
    return known;
  }

  private NumberNode make(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return new ColumnNode(column.column(), columnNumber.applyAsInt(column.column()));
    }
    if (expression instanceof Expression.Literal literal) {
      BigDecimal value = literal.value();
      return LiteralNode.exact(value, Math.max(0, value.scale()));
    }
    if (expression instanceof Expression.Sum sum) {
      return binary(Operator.ADD, sum.left(), sum.right());
    }
    if (expression instanceof Expression.Difference difference) {
      return binary(Operator.SUBTRACT, difference.left(), difference.right());
    }
    Expression.Product product = (Expression.Product) expression;
    return binary(Operator.MULTIPLY, product.left(), product.right());
  }

  private NumberNode binary(Operator operator, Expression leftSide, Expression rightSide) {
    if (operator == Operator.MULTIPLY) {
      NumberNode left = compile(leftSide);
      NumberNode right = compile(rightSide);
      boolean exact = !left.isFloating() && !right.isFloating();
      return exact
          ? new BinaryNode(operator, left, right)
          : new BinaryNode(operator, floating(left), floating(right));
    }
    Pair pair = compile(leftSide, rightSide);
    return new BinaryNode(operator, pair.left(), pair.right());
  }

  private static NumberNode floating(NumberNode node) {
    if (node.isFloating()) {
      return node;
    }
    return node instanceof LiteralNode literal
        ? LiteralNode.floating(literal.value())
        : new ConversionNode(node);
  }

  private static NumberNode scaled(NumberNode node, int scale) {
    if (node.scale() == scale) {
      return node;
    }
    if (node instanceof LiteralNode literal) {
      return LiteralNode.exact(literal.value(), scale);
    }
    int digits = scale - node.scale();
    return new BinaryNode(Operator.MULTIPLY, node, LiteralNode.exact(BigDecimal.ONE, digits));
  }
}
