package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.table.KuduSparkTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigInt;

/**
 * Makes a MERGE of a small source read only those rows of the table whose keys are in the source.
 * Spark joins the source with the whole table: its runtime filters do not apply to the outer and
 * anti joins of a MERGE.
 *
 * <pre>
 *   MergeRows                              MergeRows
 *     Join RightOuter, t.k = s.k     ->      Join RightOuter, t.k = s.k
 *       table t                                Filter t.k IN (SELECT s.k FROM source s)
 *       source s                                 table t
 *                                              source s
 * </pre>
 *
 * <p>The filter is one of Spark's dynamic pruning: Spark runs its query first, and passes the
 * values to the scan. The source is therefore evaluated once more for each compared column, and
 * must have the same rows each time, see {@link RepeatableQuery}. Joins in an INSERT with a table
 * of this connector get the filter too.
 *
 * <p>"Small" means that Spark would broadcast the keys of the source, and not the table.
 */
public final class MergeKeys extends Rule<LogicalPlan> {
  private final SparkSession session;

  public MergeKeys(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return SQLConf.get().dynamicPartitionPruningEnabled()
        ? plan.transformDown(new PlanFunction(this::withFilters))
        : plan;
  }

  private LogicalPlan withFilters(LogicalPlan node) {
    return node instanceof V2WriteCommand write && mayMerge(write)
        ? (LogicalPlan)
            write.withNewQuery(write.query().transformDown(new PlanFunction(this::filtered)))
        : node;
  }

  /**
   * Whether the write may be a MERGE into one of our tables. Spark 4.1 plans an insert-only MERGE
   * as a plain append; Spark 4.2 has a separate plan node for it. Treating an ordinary append as a
   * MERGE is harmless, because the filter is correct for any append.
   */
  private static boolean mayMerge(V2WriteCommand write) {
    return write instanceof WriteDelta delta
        ? delta.operation().command() == Command.MERGE && isOurs(delta.originalTable())
        : isOurs(write.table());
  }

  private static boolean isOurs(Object relation) {
    return relation instanceof DataSourceV2Relation known && ours(known.table()).isPresent();
  }

  private static Optional<KuduSparkTable> ours(Table table) {
    Object read = table instanceof RowLevelOperationTable operation ? operation.table() : table;
    return read instanceof KuduSparkTable known ? Optional.of(known) : Optional.empty();
  }

  /** The join with a filter of its side that is the table, or the node unchanged. */
  private LogicalPlan filtered(LogicalPlan node) {
    if (!(node instanceof Join join) || join.condition().isEmpty()) {
      return node;
    }
    JoinType type = join.joinType();
    if (type == RightOuter$.MODULE$ || type == Inner$.MODULE$) {
      LogicalPlan left = filtered(join.left(), join.right(), join.condition().get());
      return Copies.with(join, "left", left);
    } else if (type == LeftAnti$.MODULE$) {
      LogicalPlan right = filtered(join.right(), join.left(), join.condition().get());
      return Copies.with(join, "right", right);
    }
    return node;
  }

  private LogicalPlan filtered(LogicalPlan side, LogicalPlan source, Expression condition) {
    Optional<DataSourceV2Relation> table = table(side);
    LogicalPlan result = side;
    if (table.isPresent() && isLarge(table.get())) {
      for (Equality equality : equalities(condition, table.get(), source)) {
        Optional<Expression> filter = filter(equality, source);
        if (filter.isPresent()) {
          result = result.transformUp(new PlanFunction(node -> add(filter.get(), node)));
        }
      }
    }
    return result;
  }

  /**
   * Our table that a plan reads, if it only selects rows and columns: below a limit, for example, a
   * filter would change the result.
   */
  private static Optional<DataSourceV2Relation> table(LogicalPlan side) {
    LogicalPlan read = side;
    while (read instanceof Project || read instanceof Filter) {
      read = ((UnaryNode) read).child();
    }
    return read instanceof DataSourceV2Relation relation
            && ours(relation.table()).filter(known -> mayFilter(known, relation)).isPresent()
        ? Optional.of(relation)
        : Optional.empty();
  }

  private static boolean mayFilter(KuduSparkTable table, DataSourceV2Relation relation) {
    return table.hasRuntimeFilters(relation.options());
  }

  private static boolean isLarge(LogicalPlan plan) {
    return plan.stats()
            .sizeInBytes()
            .compare(BigInt.apply(SQLConf.get().autoBroadcastJoinThreshold()))
        > 0;
  }

  // ---------------------------------------------------------------- equalities

  /** A column of the table, and the expression of the source that it equals in pairs of rows. */
  private record Equality(Attribute column, Expression value) {}

  private static List<Equality> equalities(
      Expression condition, LogicalPlan table, LogicalPlan source) {
    List<Equality> found = new ArrayList<>();
    collect(condition, table, source, found);
    return found;
  }

  private static void collect(
      Expression condition, LogicalPlan table, LogicalPlan source, List<Equality> found) {
    if (condition instanceof And and) {
      collect(and.left(), table, source, found);
      collect(and.right(), table, source, found);
    } else if (condition instanceof EqualTo equal) {
      addEquality(equal.left(), equal.right(), table, source, found);
      addEquality(equal.right(), equal.left(), table, source, found);
    }
  }

  private static void addEquality(
      Expression column,
      Expression value,
      LogicalPlan table,
      LogicalPlan source,
      List<Equality> found) {
    if (column instanceof Attribute attribute
        && table.outputSet().contains(attribute)
        && value.references().nonEmpty()
        && value.references().subsetOf(source.outputSet())) {
      found.add(new Equality(attribute, value));
    }
  }

  // ---------------------------------------------------------------- filters

  /** The filter by an equality; empty if the keys of the source are too many, or may change. */
  private Optional<Expression> filter(Equality equality, LogicalPlan source) {
    LogicalPlan keys = keys(equality.value(), source);
    return isLarge(keys) || !RepeatableQuery.test(keys)
        ? Optional.empty()
        : Optional.of(
            new DynamicPruningSubquery(
                equality.column(),
                keys,
                seq(List.of(keys.output().head())),
                seq(List.of(0)),
                false,
                NamedExpression.newExprId(),
                Option.empty()));
  }

  /** The query of the keys. Spark plans it apart, so it is optimized here. */
  private LogicalPlan keys(Expression value, LogicalPlan source) {
    NamedExpression named =
        value instanceof Attribute attribute
            ? attribute
            : new Alias(
                value,
                "key",
                NamedExpression.newExprId(),
                seq(List.of()),
                Option.empty(),
                seq(List.of()));
    return KuduNames.state(session).optimizer().execute(new Project(seq(List.of(named)), source));
  }

  /** Filters the relation, which is a leaf, in one node with the filter above it. */
  private static LogicalPlan add(Expression filter, LogicalPlan node) {
    if (node instanceof DataSourceV2Relation) {
      return new Filter(filter, node);
    }
    return node instanceof Filter upper && upper.child() instanceof Filter lower
        ? new Filter(new And(upper.condition(), lower.condition()), lower.child())
        : node;
  }

  private static <T> Seq<T> seq(List<T> elements) {
    return CollectionConverters.asScala(elements).toSeq();
  }
}
