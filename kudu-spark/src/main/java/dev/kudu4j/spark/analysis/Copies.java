package dev.kudu4j.spark.analysis;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Copies nodes of a plan. The constructors of nodes differ among Spark versions; the parameters
 * that are replaced here have the same names in all.
 */
final class Copies {
  private Copies() {}

  /** The node with one of its parameters replaced. */
  static LogicalPlan with(LogicalPlan node, String parameter, Object value) {
    Object[] arguments = new Object[node.productArity()];
    for (int i = 0; i < arguments.length; i++) {
      boolean replaced = node.productElementName(i).equals(parameter);
      arguments[i] = replaced ? value : node.productElement(i);
    }
    return node.makeCopy(arguments);
  }
}
