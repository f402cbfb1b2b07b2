package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.read.PushedPredicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;

/**
 * Plans the write of a query's rows, optionally with the deletion of existing rows: all of them, or
 * those that servers can select exactly.
 */
public final class KuduWriteBuilder
    implements SupportsOverwriteV2, SupportsStreamingUpdateAsAppend {
  private final LoadedTable table;
  private final LogicalWriteInfo info;
  private Optional<List<KuduPredicate>> replaced = Optional.empty();

  public KuduWriteBuilder(LoadedTable table, LogicalWriteInfo info) {
    this.table = table;
    this.info = info;
  }

  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return translated(predicates).isPresent();
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    replaced = Optional.of(translated(predicates).orElseThrow());
    return this;
  }

  private Optional<List<KuduPredicate>> translated(Predicate[] predicates) {
    PushedPredicates translation = new PushedPredicates(table.kuduTable().getSchema());
    List<KuduPredicate> all = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Optional<List<KuduPredicate>> known = translation.translate(predicate);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(known.get());
    }
    return Optional.of(all);
  }

  @Override
  public Write build() {
    WriteSettings settings = WriteSettings.of(table.options(info.options()));
    ColumnMatch.of(table.name(), info.schema(), table.kuduTable().getSchema())
        .check(settings.operation(), settings.handleSchemaDrift());
    return new KuduWrite(table, settings, info.schema(), info.queryId(), replaced);
  }
}
