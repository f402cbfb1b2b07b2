package dev.kudu4j.spark.analysis;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.execution.command.ExplainCommand;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Resolves the tables with options of a statement when it has been parsed. Sessions with Hive's
 * catalog need this: their analyzer applies {@link OwnOptions} only after Spark has resolved
 * tables.
 */
record ParsedOptions(OwnOptions rule) {
  LogicalPlan addTo(LogicalPlan plan) {
    return plan instanceof ExplainCommand explain
        ? Copies.with(explain, "logicalPlan", addTo(explain.logicalPlan()))
        : plan.transformUpWithSubqueries(new PlanFunction(this::resolve));
  }

  private LogicalPlan resolve(LogicalPlan node) {
    return node instanceof UnresolvedWith with
        ? Copies.with(with, "cteRelations", named(with.cteRelations()))
        : rule.resolveWithOptions(node);
  }

  /** The queries that WITH names, which are no children of its node. */
  private Seq<Tuple3<String, SubqueryAlias, Option<Object>>> named(
      Seq<Tuple3<String, SubqueryAlias, Option<Object>>> queries) {
    List<Tuple3<String, SubqueryAlias, Option<Object>>> resolved = new ArrayList<>();
    for (var query : CollectionConverters.asJava(queries)) {
      resolved.add(new Tuple3<>(query._1(), (SubqueryAlias) addTo(query._2()), query._3()));
    }
    return CollectionConverters.asScala(resolved).toSeq();
  }
}
