package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.scan.source.ScanColumns;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/**
 * Compiles expressions into nodes. Equal expressions share a node, which is computed once per
 * chunk.
 */
final class ExpressionCompiler {
  private final ScanColumns columns;
  private final Map<Expression, NumberNode> nodes = new HashMap<>();

  ExpressionCompiler(ScanColumns columns) {
    this.columns = columns;
  }

  NumberNode compile(Expression expression) {
    NumberNode known = nodes.get(expression);
    if (known == null) {
      known = make(expression);
      nodes.put(expression, known);
    }
    return known;
  }

  private NumberNode make(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return new ColumnNode(column.column(), columns.numberOfId(column.column().id()));
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
    NumberNode left = compile(leftSide);
    NumberNode right = compile(rightSide);
    if (left.isFloating() || right.isFloating()) {
      return new BinaryNode(operator, floating(left), floating(right));
    }
    if (operator == Operator.MULTIPLY) {
      return new BinaryNode(operator, left, right);
    }
    int scale = Math.max(left.scale(), right.scale());
    return new BinaryNode(operator, scaled(left, scale), scaled(right, scale));
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
