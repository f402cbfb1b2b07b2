package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.KuduOptions;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Adds options to the table of an INSERT. */
final class WriteOptions {
  private WriteOptions() {}

  /**
   * The plan of an INSERT, or of WITH or EXPLAIN around it, with {@link KuduOptions#OPERATION}. An
   * upsert that names its columns changes only those.
   */
  static LogicalPlan add(LogicalPlan plan, String operation) {
    if (plan instanceof ExplainCommand explain) {
      return Copies.with(explain, "logicalPlan", add(explain.logicalPlan(), operation));
    }
    return plan.transformDown(new PlanFunction(node -> withOperation(node, operation)));
  }

  private static LogicalPlan withOperation(LogicalPlan node, String operation) {
    if (!(node instanceof InsertIntoStatement insert)
        || !(insert.table() instanceof UnresolvedRelation relation)) {
      return node;
    }
    Map<String, String> options = new HashMap<>(relation.options().asCaseSensitiveMap());
    options.put(KuduOptions.OPERATION, operation);
    if (insert.userSpecifiedCols().nonEmpty()) {
      options.put(KuduOptions.WRITTEN_COLUMNS, insert.userSpecifiedCols().mkString(","));
    }
    return Copies.with(
        insert, "table", Copies.with(relation, "options", new CaseInsensitiveStringMap(options)));
  }
}
