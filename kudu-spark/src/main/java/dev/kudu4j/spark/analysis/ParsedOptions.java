package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.sql.SqlException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.CompoundBody;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SingleStatement;
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
 * tables. Scripts cannot have such tables, since statements of a script may create and change them.
 */
final class ParsedOptions {
  private final OwnOptions rule;

  /** Names of queries of WITH, which Spark prefers to tables. */
  private final Set<String> queries = new HashSet<>();

  ParsedOptions(OwnOptions rule) {
    this.rule = rule;
  }

  /**
   * @throws SqlException if the plan is a script with options
   */
  LogicalPlan addTo(LogicalPlan plan) {
    if (plan instanceof CompoundBody) {
      checkScript(plan);
      return plan;
    }
    if (plan instanceof ExplainCommand explain) {
      return Copies.with(explain, "logicalPlan", addTo(explain.logicalPlan()));
    }
    plan.foreach(
        node -> {
          if (node instanceof UnresolvedWith with) {
            CollectionConverters.asJava(with.cteRelations())
                .forEach(query -> queries.add(query._1()));
          }
          return null;
        });
    return plan.transformUpWithSubqueries(new PlanFunction(this::resolve));
  }

  private void checkScript(LogicalPlan script) {
    script.foreach(
        node -> {
          if (rule.hasOptions(node)) {
            throw new SqlException(
                1,
                0,
                "'BEGIN'",
                "options of tables are not supported in scripts of sessions with Hive's catalog;"
                    + " run the statement outside of the script");
          }
          if (node instanceof SingleStatement statement) {
            checkScript(statement.parsedPlan());
          }
          return null;
        });
  }

  private LogicalPlan resolve(LogicalPlan node) {
    if (node instanceof UnresolvedWith with) {
      return Copies.with(with, "cteRelations", named(with.cteRelations()));
    }
    return node instanceof UnresolvedRelation relation && isQuery(relation)
        ? node
        : rule.resolveWithOptions(node);
  }

  private boolean isQuery(UnresolvedRelation relation) {
    return relation.multipartIdentifier().length() == 1
        && queries.stream().anyMatch(relation.multipartIdentifier().head()::equalsIgnoreCase);
  }

  /** The queries that WITH names, which are no children of its node. */
  private Seq<Tuple3<String, SubqueryAlias, Option<Object>>> named(
      Seq<Tuple3<String, SubqueryAlias, Option<Object>>> relations) {
    List<Tuple3<String, SubqueryAlias, Option<Object>>> resolved = new ArrayList<>();
    for (var query : CollectionConverters.asJava(relations)) {
      resolved.add(new Tuple3<>(query._1(), (SubqueryAlias) addTo(query._2()), query._3()));
    }
    return CollectionConverters.asScala(resolved).toSeq();
  }
}
