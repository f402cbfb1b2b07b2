package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableResponsePB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.Condition;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Base class of verbs that alter a table. */
abstract class AlterVerb extends ClusterVerb {
  private static final long POLL_MILLIS = 50;

  /** A change that may depend on the current table. */
  interface Change {
    AlterTableOptions of(KuduTable table, TableInfo known);
  }

  /** Makes the change and waits until every tablet has applied it. */
  void alter(Target target, Change change, String done) throws IOException {
    String name = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      TableInfo known = TableInfo.of(name, calls);
      try (KuduClient client = cluster().client(target.masters())) {
        client.alterTable(name, change.of(client.openTable(name), known));
      }
    }
    say(done);
  }

  /**
   * Makes a change for which the client has no method, and waits until every tablet has applied it.
   */
  void alterDirectly(Target target, AlterTableRequestPB.Builder change, String done) {
    String name = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(name);
      AlterTableResponsePB altered =
          calls.master(
              "AlterTable",
              change.setTable(ClusterCalls.identifier(name)).build(),
              AlterTableResponsePB.parser());
      await(TableIdentifierPB.newBuilder().setTableId(altered.getTableId()).build(), calls);
    }
    say(done);
  }

  private void await(TableIdentifierPB table, ClusterCalls calls) {
    IsAlterTableDoneRequestPB request =
        IsAlterTableDoneRequestPB.newBuilder().setTable(table).build();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(cluster().timeoutMillis());
    while (!calls
        .master("IsAlterTableDone", request, IsAlterTableDoneResponsePB.parser())
        .getDone()) {
      if (System.nanoTime() - deadline > 0) {
        throw KuduException.timedOut(
            "The masters have recorded the change, but some tablets have not applied it"
                + " after %d ms; kudu cluster ksck shows servers with problems",
            cluster().timeoutMillis());
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  static void checkColumn(KuduTable table, String column) {
    Condition.column(table.getSchema(), column);
  }

  static void checkAbsent(KuduTable table, String column) {
    if (table.getSchema().hasColumn(column)) {
      throw KuduException.alreadyPresent(
          "Table %s already has a column %s", table.getName(), column);
    }
  }
}
