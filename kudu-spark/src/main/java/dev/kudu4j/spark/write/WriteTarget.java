package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.Serializable;

/**
 * The table that tasks write to. Serialized to the tasks.
 *
 * @param sparkName name for users, in messages
 * @param kuduName name on the cluster
 */
record WriteTarget(Connection connection, String sparkName, String kuduName)
    implements Serializable {

  static WriteTarget of(LoadedTable table) {
    return new WriteTarget(table.connection(), table.name(), table.kuduTable().getName());
  }

  /** Opens the table, with its current schema, with this JVM's client. */
  KuduTable open() throws KuduException {
    return connection.client().openTable(kuduName);
  }

  /** Wraps an error, for Spark interfaces without checked exceptions. */
  IllegalStateException failure(IOException cause) {
    return new IllegalStateException(
        "Table " + sparkName + " cannot be written: " + cause.getMessage(), cause);
  }
}
