package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.Condition;
import java.io.IOException;

/** A verb that changes a table. */
abstract class AlterVerb extends ClusterVerb {
  /** A change that may look at the table first. */
  interface Change {
    AlterTableOptions of(KuduTable table, TableInfo known);
  }

  /** Makes the change and waits until every tablet has it. */
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

  static void checkColumn(KuduTable table, String column) {
    Condition.column(table.getSchema(), column);
  }

  static void checkAbsent(KuduTable table, String column) {
    if (table.getSchema().hasColumn(column)) {
      throw KuduException.alreadyPresent(
          "Table %s has a column %s already", table.getName(), column);
    }
  }
}
