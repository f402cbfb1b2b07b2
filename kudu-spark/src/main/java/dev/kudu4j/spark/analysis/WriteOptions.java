package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.sql.SqlException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Adds options to the table of an INSERT. */
final class WriteOptions {
  private static final String UPSERT = "upsert";

  private WriteOptions() {}

  /**
   * The plan of an INSERT, or of WITH or EXPLAIN around it, with {@link KuduOptions#OPERATION}. An
   * upsert that names its columns changes only those.
   *
   * @throws SqlException if the plan has no INSERT into a named table
   */
  static LogicalPlan add(LogicalPlan plan, String operation) {
    if (plan instanceof ExplainCommand explain) {
      return Copies.with(explain, "logicalPlan", add(explain.logicalPlan(), operation));
    }
    AtomicInteger writes = new AtomicInteger();
    LogicalPlan changed =
        plan.transformDown(
            new PlanFunction(
                node -> {
                  LogicalPlan write = withOperation(node, operation);
                  writes.addAndGet(write == node ? 0 : 1);
                  return write;
                }));
    if (writes.get() == 0) { // it would silently become an upsert of whole rows
      throw unsupported(operation, "the table must be given by its name");
    }
    return changed;
  }

  private static SqlException unsupported(String operation, String reason) {
    String verb = operation.equals(UPSERT) ? "UPSERT" : "INSERT IGNORE";
    return new SqlException(1, 0, "'" + verb + "'", verb + ": " + reason);
  }

  private static LogicalPlan withOperation(LogicalPlan node, String operation) {
    if (!(node instanceof InsertIntoStatement insert)
        || !(insert.table() instanceof UnresolvedRelation relation)) {
      return node;
    }
    if (insert.byName() && operation.equals(UPSERT)) {
      throw unsupported(operation, "BY NAME is not supported; list the columns after the table");
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
