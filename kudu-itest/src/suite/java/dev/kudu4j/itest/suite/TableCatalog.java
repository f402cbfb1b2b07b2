package dev.kudu4j.itest.suite;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Status;
import dev.kudu4j.itest.workload.Catalog;
import dev.kudu4j.itest.workload.Unavailable;
import java.util.List;

/** The tables of a cluster, created and changed by a store's client. */
final class TableCatalog implements Catalog {
  /**
   * Whether the response to a repeated change is conclusive. Apache Kudu's client repeats a change
   * without recognizing that it has been made, so an error may be due to its own change.
   */
  private static final boolean KNOWS_REPEATS = KuduClient.class.getName().startsWith("dev.kudu4j.");

  private static final int TABLETS = 2;

  private final KuduClient client;

  TableCatalog(KuduClient client) {
    this.client = client;
  }

  private interface Change {
    Object make() throws KuduException;
  }

  private static Fate fate(Change change) {
    try {
      change.make();
      return Fate.DONE;
    } catch (KuduException e) {
      return KNOWS_REPEATS && isRefusal(e.getStatus()) ? Fate.REFUSED : Fate.UNKNOWN;
    }
  }

  private static boolean isRefusal(Status status) {
    return status.isInvalidArgument() || status.isAlreadyPresent() || status.isNotFound();
  }

  @Override
  public Fate create(String table) {
    return fate(
        () -> client.createTable(table, TableStore.schema(), TableStore.partitions(TABLETS)));
  }

  @Override
  public Fate addColumn(String table, String column) {
    return fate(
        () ->
            client.alterTable(
                table, new AlterTableOptions().addNullableColumn(column, Type.INT64)));
  }

  @Override
  public Fate rename(String table, String name) {
    return fate(() -> client.alterTable(table, new AlterTableOptions().renameTable(name)));
  }

  @Override
  public Fate drop(String table) {
    return fate(() -> client.deleteTable(table));
  }

  @Override
  public List<String> tables() throws Unavailable {
    try {
      return client.getTablesList().getTablesList();
    } catch (KuduException e) {
      throw new Unavailable(e);
    }
  }

  @Override
  public List<String> columns(String table) throws Unavailable {
    try {
      KuduTable opened = client.openTable(table);
      return opened.getSchema().getColumns().stream().map(ColumnSchema::getName).toList();
    } catch (KuduException e) {
      throw new Unavailable(e);
    }
  }
}
