package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.FileTable;

/**
 * Whether a query has the same rows if it runs again within a statement: it selects, joins, unites
 * and groups, by deterministic expressions, rows of files, local rows, and rows of tables of this
 * connector, of which a statement reads one snapshot. Limits, windows and cached rows are not
 * accepted: among equal rows they choose any, and cached rows that are lost are computed again.
 */
final class RepeatableQuery {
  private RepeatableQuery() {}

  /**
   * @param plan optimized; with subqueries in expressions it is not accepted
   */
  static boolean test(LogicalPlan plan) {
    return plan.deterministic()
        && !plan.containsPattern(TreePattern.PLAN_EXPRESSION())
        && plan.find(node -> !isRepeatable(node)).isEmpty();
  }

  private static boolean isRepeatable(LogicalPlan node) {
    return node instanceof Project
        || node instanceof Filter
        || node instanceof Join
        || node instanceof Union
        || node instanceof Generate
        || (node instanceof Aggregate groups && isRepeatable(groups))
        || isSnapshot(node);
  }

  /**
   * Whether all aggregates are COUNT, MIN or MAX. The results of others, such as MAX_BY and sums of
   * floating-point numbers, depend on the order of the rows.
   */
  private static boolean isRepeatable(Aggregate groups) {
    return !groups.expressions().exists(result -> result.exists(RepeatableQuery::maybeDiffers));
  }

  private static boolean maybeDiffers(Expression expression) {
    return expression instanceof AggregateFunction
        && !(expression instanceof Count || expression instanceof Min || expression instanceof Max);
  }

  private static boolean isSnapshot(LogicalPlan leaf) {
    return leaf instanceof LocalRelation
        || leaf instanceof OneRowRelation
        || leaf instanceof Range
        || (leaf instanceof LogicalRelation files && files.relation() instanceof HadoopFsRelation)
        || (leaf instanceof DataSourceV2ScanRelation scan && isSnapshot(scan.relation().table()));
  }

  private static boolean isSnapshot(Table table) {
    return table instanceof KuduSparkTable || table instanceof FileTable;
  }
}
