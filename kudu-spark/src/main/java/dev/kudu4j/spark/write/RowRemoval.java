package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import java.io.IOException;
import java.util.List;

/**
 * Deletes the rows that an overwrite replaces, on the driver, before the first task writes. The
 * statement reads an earlier snapshot, so a query on a table can overwrite the same table. Without
 * a transaction the overwrite is not atomic: until the tasks have written, readers see the table
 * without the deleted rows, and a statement that fails later leaves the table in this state.
 */
final class RowRemoval {
  private RowRemoval() {}

  /** Deletes the rows that satisfy all predicates. */
  static void delete(WriteTarget target, List<KuduPredicate> predicates) {
    try {
      KuduTable table = target.open();
      TaskSession session = new TaskSession(target, table, true);
      session.ignoreMissing();
      try {
        deleteAll(table, scanner(target, table, predicates), session);
        session.finish();
      } catch (IOException e) {
        session.abandon();
        throw e;
      }
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  private static void deleteAll(KuduTable table, KuduScanner scanner, TaskSession session)
      throws IOException {
    try {
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          session.apply(delete(table, row));
        }
      }
    } finally {
      scanner.close();
    }
  }

  private static KuduScanner scanner(
      WriteTarget target, KuduTable table, List<KuduPredicate> predicates) {
    KuduScanner.KuduScannerBuilder builder =
        target
            .connection()
            .client()
            .newScannerBuilder(table)
            .setProjectedColumnNames(
                table.getSchema().getPrimaryKeyColumns().stream()
                    .map(ColumnSchema::getName)
                    .toList());
    predicates.forEach(builder::addPredicate);
    return builder.build();
  }

  private static Operation delete(KuduTable table, RowResult key) {
    Operation delete = table.newDelete();
    for (int i = 0; i < table.getSchema().getPrimaryKeyColumnCount(); i++) {
      delete.getRow().addObject(i, key.getObject(i));
    }
    return delete;
  }
}
