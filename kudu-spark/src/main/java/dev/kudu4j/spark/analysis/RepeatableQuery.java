package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.table.KuduSparkTable;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Tail;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.FileTable;

/**
 * Whether a query has the same rows if it runs twice within a statement: it consists of
 * deterministic expressions, without LIMIT and samples, of files, cached and local rows, and tables
 * of this connector, of which a statement reads one snapshot.
 */
final class RepeatableQuery {
  private RepeatableQuery() {}

  /**
   * @param plan optimized; with subqueries in expressions it is not accepted
   */
  static boolean test(LogicalPlan plan) {
    return plan.deterministic()
        && !plan.containsPattern(TreePattern.PLAN_EXPRESSION())
        && !plan.exists(RepeatableQuery::mayChange);
  }

  private static boolean mayChange(LogicalPlan node) {
    return node instanceof GlobalLimit
        || node instanceof LocalLimit
        || node instanceof Offset
        || node instanceof Tail
        || node instanceof Sample
        || (node.children().isEmpty() && !isSnapshot(node));
  }

  private static boolean isSnapshot(LogicalPlan leaf) {
    return leaf instanceof LocalRelation
        || leaf instanceof OneRowRelation
        || leaf instanceof Range
        || leaf instanceof InMemoryRelation
        || (leaf instanceof LogicalRelation files && files.relation() instanceof HadoopFsRelation)
        || (leaf instanceof DataSourceV2ScanRelation scan && isSnapshot(scan.relation().table()));
  }

  private static boolean isSnapshot(Table table) {
    return table instanceof KuduSparkTable || table instanceof FileTable;
  }
}
