package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.table.KuduSparkTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.AnalysisContext;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.analysis.NamedRelation;
import org.apache.spark.sql.catalyst.analysis.RelationTimeTravel;
import org.apache.spark.sql.catalyst.analysis.TimeTravelSpec;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.collection.mutable.Map;

/**
 * Gives each occurrence of a table in a statement its own options.
 *
 * <p>While Spark analyzes a statement, it caches the relation of each table by name and time
 * travel. A later occurrence of the table gets the cached relation, with the options of the first
 * one: {@code INSERT INTO t WITH (`kudu.operation`='insert') SELECT ... FROM t} would be an upsert.
 *
 * <p>Therefore this rule resolves the tables of our catalogs before Spark does. It uses Spark's own
 * rule, but shows it only the cache entries that may be used: for an occurrence without options,
 * the relations without options; for an occurrence with options, none.
 *
 * <pre>
 *   FROM t            sees the cached relations without options, and adds its own to the cache
 *   FROM t WITH (a)   sees an empty cache, and adds nothing
 * </pre>
 *
 * <p>The rule leaves tables of other catalogs, views and streams to Spark. It has no state except
 * the session.
 */
public final class OwnOptions extends Rule<LogicalPlan> {
  private final SparkSession session;

  public OwnOptions(SparkSession session) {
    this.session = session;
  }

  /** Whether the active session has this rule; true if there is no session. */
  public static boolean inActiveSession() {
    Option<SparkSession> session = SparkSession.getActiveSession();
    return session.isEmpty() || isIn(analyzer(session.get()).extendedResolutionRules());
  }

  /**
   * Whether the analyzer of a session applies this rule before Spark resolves tables. With Hive's
   * catalog it does not, so {@link ParsedOptions} has to.
   */
  static boolean isEarlyIn(SparkSession session) {
    return isIn(analyzer(session).hintResolutionRules());
  }

  private static boolean isIn(Seq<Rule<LogicalPlan>> rules) {
    return rules.exists(rule -> rule instanceof OwnOptions);
  }

  private static Analyzer analyzer(SparkSession session) {
    return KuduNames.state(session).analyzer();
  }

  /**
   * Resolves the relations of a plan. Spark also passes the target of a statement as a plan; the
   * rule skips it, and resolves it as a part of the whole statement.
   */
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (plan instanceof UnresolvedRelation relation && isTarget(relation)) {
      return plan;
    }
    return plan.resolveOperatorsUp(new PlanFunction(this::resolve));
  }

  /**
   * The node with its relation resolved, or unchanged. The target of a write is replaced here,
   * because the target is not a child of the node.
   */
  private LogicalPlan resolve(LogicalPlan node) {
    return resolve(node, this::relation);
  }

  /** Like the rule, but leaves relations without options to Spark. */
  LogicalPlan resolveWithOptions(LogicalPlan node) {
    return resolve(
        node,
        (relation, whole) -> hasOptions(relation) ? relation(relation, whole) : Optional.empty());
  }

  /** Whether a node is one of our tables with options, or writes to one. */
  boolean hasOptions(LogicalPlan node) {
    AtomicBoolean found = new AtomicBoolean();
    resolve(
        node,
        (relation, whole) -> {
          if (hasOptions(relation)
              && new KuduNames(session).contain(relation.multipartIdentifier())) {
            found.set(true);
          }
          return Optional.empty();
        });
    return found.get();
  }

  /** Resolves a relation, given with its node: itself, or its time travel. */
  @FunctionalInterface
  private interface Resolution {
    Optional<LogicalPlan> of(UnresolvedRelation relation, LogicalPlan node);
  }

  private LogicalPlan resolve(LogicalPlan node, Resolution resolution) {
    if (node instanceof UnresolvedRelation relation) {
      return resolution.of(relation, relation).orElse(node);
    }
    if (node instanceof RelationTimeTravel travel
        && travel.relation() instanceof UnresolvedRelation relation
        && isKnown(travel.timestamp())) {
      return resolution.of(relation, travel).orElse(node);
    }
    if (node instanceof InsertIntoStatement insert
        && insert.table() instanceof UnresolvedRelation relation) {
      return resolution
          .of(relation, relation)
          .map(found -> Copies.with(insert, "table", withoutAlias(found)))
          .orElse(node);
    }
    if (node instanceof V2WriteCommand write
        && (Object) write.table() instanceof UnresolvedRelation relation) {
      return resolution
          .of(relation, relation)
          .map(found -> (LogicalPlan) write.withNewTable((NamedRelation) withoutAlias(found)))
          .orElse(node);
    }
    return node;
  }

  /**
   * Whether the relation is the target of an INSERT or a MERGE, which Spark marks with this option.
   */
  private static boolean isTarget(UnresolvedRelation relation) {
    return relation.options().containsKey(UnresolvedRelation.REQUIRED_WRITE_PRIVILEGES());
  }

  private static boolean isKnown(Option<Expression> timestamp) {
    return timestamp.isEmpty()
        || (timestamp.get().resolved() && !SubqueryExpression.hasSubquery(timestamp.get()));
  }

  private static LogicalPlan withoutAlias(LogicalPlan plan) {
    LogicalPlan inner = plan;
    while (inner instanceof SubqueryAlias alias) {
      inner = alias.child();
    }
    return inner;
  }

  // ---------------------------------------------------------------- one relation

  /**
   * The relation of one of our tables; empty for anything else.
   *
   * @param node the relation, or its time travel
   */
  private Optional<LogicalPlan> relation(UnresolvedRelation relation, LogicalPlan node) {
    if (relation.isStreaming() || !new KuduNames(session).contain(relation.multipartIdentifier())) {
      return Optional.empty();
    }
    RelationCache cache = new RelationCache(AnalysisContext.get().relationCache());
    cache.removeEntriesWithOptions();
    LogicalPlan found =
        hasOptions(relation)
            ? cache.withEmptyCache(() -> sparksRule().apply(node))
            : sparksRule().apply(node);
    return isOurs(found) ? Optional.of(found) : Optional.empty();
  }

  private static boolean hasOptions(UnresolvedRelation relation) {
    return !relation.clearWritePrivileges().options().isEmpty();
  }

  private static boolean isOurs(LogicalPlan plan) {
    return withoutAlias(plan) instanceof DataSourceV2Relation relation
        && relation.table() instanceof KuduSparkTable;
  }

  private Rule<LogicalPlan> sparksRule() {
    return analyzer(session).ResolveRelations();
  }

  // ---------------------------------------------------------------- Spark's cache

  /** The relations that Spark has resolved in this statement. */
  private record RelationCache(
      Map<Tuple2<Seq<String>, Option<TimeTravelSpec>>, LogicalPlan> relations) {

    /** Removes entries of our tables with options, which temporary views leave behind. */
    void removeEntriesWithOptions() {
      List<Tuple2<Seq<String>, Option<TimeTravelSpec>>> gone = new ArrayList<>();
      relations.foreach(
          entry -> {
            if (withoutAlias(entry._2()) instanceof DataSourceV2Relation relation
                && relation.table() instanceof KuduSparkTable
                && !relation.options().isEmpty()) {
              gone.add(entry._1());
            }
            return null;
          });
      gone.forEach(relations::remove);
    }

    LogicalPlan withEmptyCache(Supplier<LogicalPlan> resolution) {
      Map<Tuple2<Seq<String>, Option<TimeTravelSpec>>, LogicalPlan> before = relations.clone();
      relations.clear();
      try {
        return resolution.get();
      } finally {
        relations.clear();
        relations.addAll(before);
      }
    }
  }
}
