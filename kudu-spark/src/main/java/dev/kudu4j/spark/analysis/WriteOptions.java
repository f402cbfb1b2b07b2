package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.sql.SqlException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.catalyst.analysis.PlanWithUnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Function2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds options to the table of an INSERT. The name of the table may be an expression, {@code
 * IDENTIFIER(...)}: then the options are added when Spark has computed the name.
 *
 * @param operation the value of {@link KuduOptions#OPERATION}
 */
record WriteOptions(KuduNames names, String operation) {
  private static final String UPSERT = "upsert";

  /**
   * The plan of an INSERT, or of WITH or EXPLAIN around it, with {@link KuduOptions#OPERATION}. An
   * upsert that names its columns changes only those.
   *
   * @throws SqlException if the operation would be lost, because the table is not known or belongs
   *     to another catalog
   */
  LogicalPlan addTo(LogicalPlan plan) {
    if (plan instanceof ExplainCommand explain) {
      return Copies.with(explain, "logicalPlan", addTo(explain.logicalPlan()));
    }
    AtomicInteger writes = new AtomicInteger();
    LogicalPlan changed =
        plan.transformDown(
            new PlanFunction(
                node -> {
                  LogicalPlan write = withOperation(node);
                  writes.addAndGet(write == node ? 0 : 1);
                  return write;
                }));
    if (writes.get() == 0) { // it would silently become an upsert of whole rows
      throw unsupported("the table must be given by its name");
    }
    return changed;
  }

  private SqlException unsupported(String reason) {
    String verb = operation.equals(UPSERT) ? "UPSERT" : "INSERT IGNORE";
    return new SqlException(1, 0, "'" + verb + "'", verb + ": " + reason);
  }

  private LogicalPlan withOperation(LogicalPlan node) {
    if (!(node instanceof InsertIntoStatement insert)) {
      return node;
    }
    if (insert.byName() && operation.equals(UPSERT)) {
      throw unsupported("BY NAME is not supported; list the columns after the table");
    }
    List<String> columns = CollectionConverters.asJava(insert.userSpecifiedCols());
    if (insert.table() instanceof UnresolvedRelation relation) {
      return Copies.with(insert, "table", withOptions(relation, columns));
    }
    return insert.table() instanceof PlanWithUnresolvedIdentifier later
        ? Copies.with(insert, "table", withOptions(later, columns))
        : insert;
  }

  private LogicalPlan withOptions(PlanWithUnresolvedIdentifier later, List<String> columns) {
    Function2<Seq<String>, Seq<LogicalPlan>, LogicalPlan> builder = later.planBuilder();
    Function2<Seq<String>, Seq<LogicalPlan>, LogicalPlan> adding =
        (name, children) ->
            withOptions((UnresolvedRelation) builder.apply(name, children), columns);
    return Copies.with(later, "planBuilder", adding);
  }

  private LogicalPlan withOptions(UnresolvedRelation relation, List<String> columns) {
    if (!names.contain(relation.multipartIdentifier())) {
      throw unsupported(
          "table "
              + relation.multipartIdentifier().mkString(".")
              + " is not in a catalog of Kudu tables; use INSERT");
    }
    Map<String, String> options = new HashMap<>(relation.options().asCaseSensitiveMap());
    options.put(KuduOptions.OPERATION, operation);
    if (!columns.isEmpty()) {
      options.put(KuduOptions.WRITTEN_COLUMNS, NameList.text(columns));
    }
    return Copies.with(relation, "options", new CaseInsensitiveStringMap(options));
  }
}
