package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.Serializable;

/**
 * The table that tasks write to, and the transaction of the job, if any. Serialized to the tasks.
 *
 * @param sparkName name for users, in messages
 * @param kuduName name on the cluster
 * @param transactionToken the token of the transaction that the rows belong to; null for none
 */
record WriteTarget(
    Connection connection, String sparkName, String kuduName, byte[] transactionToken)
    implements Serializable {

  static WriteTarget of(LoadedTable table) {
    return new WriteTarget(table.connection(), table.name(), table.kuduTable().getName(), null);
  }

  /** The same table, for sessions in a transaction. */
  WriteTarget in(JobTransaction transaction) {
    return new WriteTarget(connection, sparkName, kuduName, transaction.token());
  }

  /** Whether rows belong to a transaction. */
  boolean isInTransaction() {
    return transactionToken != null;
  }

  /** A session of this JVM's client. Its rows belong to the transaction, if there is one. */
  KuduSession newSession() throws IOException {
    return isInTransaction()
        ? KuduTransaction.deserialize(transactionToken, connection.client().asyncClient())
            .newKuduSession()
        : connection.client().newSession();
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
