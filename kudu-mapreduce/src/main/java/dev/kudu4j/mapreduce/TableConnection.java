package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.io.IOException;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.security.Credentials;

/** A client and one open table, for a task or the submitter of a job. */
final class TableConnection implements AutoCloseable {
  private final KuduClient client;
  private final KuduTable table;

  private TableConnection(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /**
   * @param credentials the job's credentials, which may include credentials for the cluster
   * @param tableKey the configuration key of the table, for messages
   */
  static TableConnection open(
      ClusterAddress cluster, String tableName, Credentials credentials, String tableKey)
      throws IOException {
    KuduClient client = connect(cluster, credentials);
    try {
      return new TableConnection(client, client.openTable(tableName));
    } catch (KuduException e) {
      closeAfter(e, client);
      throw e.getStatus().isNotFound() ? noSuchTable(cluster, tableName, tableKey, e) : e;
    } catch (RuntimeException e) {
      closeAfter(e, client);
      throw e;
    }
  }

  private static IOException noSuchTable(
      ClusterAddress cluster, String tableName, String tableKey, KuduException cause) {
    return new InvalidJobConfException(
        "There is no table '"
            + tableName
            + "' on the cluster of "
            + cluster.masters()
            + "; create it before the job runs, or set another one in "
            + tableKey
            + ". To list the tables: kudu table list "
            + cluster.masters(),
        cause);
  }

  /** Creates a client with the job's credentials. */
  static KuduClient connect(ClusterAddress cluster, Credentials credentials) throws IOException {
    KuduClient client;
    try {
      client =
          new KuduClient.KuduClientBuilder(cluster.masters())
              .defaultOperationTimeoutMs(cluster.timeoutMillis())
              .defaultAdminOperationTimeoutMs(cluster.timeoutMillis())
              .build();
    } catch (IllegalArgumentException | dev.kudu4j.common.status.KuduException e) {
      throw new InvalidJobConfException(
          "Masters must be host:port, separated by commas, not '"
              + cluster.masters()
              + "': "
              + e.getMessage(),
          e);
    }
    try {
      JobCredentials.importInto(client, credentials);
      return client;
    } catch (RuntimeException e) {
      closeAfter(e, client);
      throw e;
    }
  }

  private static void closeAfter(Exception failure, KuduClient client) {
    try {
      client.close();
    } catch (KuduException e) {
      failure.addSuppressed(e);
    }
  }

  KuduClient client() {
    return client;
  }

  KuduTable table() {
    return table;
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
