package dev.kudu4j.spark.analysis;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Function1;
import scala.runtime.AbstractPartialFunction;

/** A function of nodes, for the transformations of plans. */
final class PlanFunction extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
  private final UnaryOperator<LogicalPlan> function;

  /**
   * @param function returns a node unchanged that it does not replace
   */
  PlanFunction(UnaryOperator<LogicalPlan> function) {
    this.function = function;
  }

  @Override
  public boolean isDefinedAt(LogicalPlan node) {
    return true;
  }

  @Override
  public <N extends LogicalPlan, R> R applyOrElse(N node, Function1<N, R> otherwise) {
    @SuppressWarnings("unchecked") // result of a partial function from plans to plans
    R result = (R) function.apply(node);
    return result;
  }
}
