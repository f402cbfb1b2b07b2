package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * The last epoch that a streaming query has committed into a table: one row of the table {@value
 * #TABLE}, which each epoch's transaction changes. So the row and the rows of the epoch appear
 * together, and a repeated epoch finds that it is there.
 */
final class StreamEpochs {
  static final String TABLE = "kudu_system.kudu4j_stream_epochs";

  private static final int MAX_REPLICAS = 3;

  private final Connection connection;
  private final Key key;

  /**
   * What identifies the row. Serialized to the tasks.
   *
   * @param query the id of the query, which its checkpoint keeps
   * @param table the id of the table that it writes
   */
  record Key(String query, String table) implements Serializable {
    /** The number of the last committed epoch; -1 if there is none. */
    long lastCommitted(Connection connection) throws KuduException {
      KuduTable table = connection.client().openTable(TABLE);
      Optional<RowResult> row = table.get(fill(table.getSchema().newPartialRow()));
      return row.map(cells -> cells.getLong(2)).orElse(-1L);
    }

    private PartialRow fill(PartialRow row) {
      row.addString(0, query);
      row.addString(1, table);
      return row;
    }
  }

  StreamEpochs(Connection connection, String query, KuduTable table) {
    this.connection = connection;
    this.key = new Key(query, table.getTableId());
  }

  Key key() {
    return key;
  }

  /** Creates the table of epochs, unless it is there. */
  void prepare() {
    KuduClient client = connection.client();
    try {
      if (client.tableExists(TABLE)) {
        return;
      }
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("query_id", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("table_id", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("epoch", Type.INT64).build()));
      client.createTable(
          TABLE,
          schema,
          new CreateTableOptions()
              .setNumReplicas(
                  client.listTabletServers().getTabletServersCount() >= MAX_REPLICAS
                      ? MAX_REPLICAS
                      : 1)
              .addHashPartitions(List.of("query_id"), 2));
    } catch (KuduException e) {
      if (!e.getStatus().isAlreadyPresent()) { // another query has created it
        throw failure(e);
      }
    }
  }

  /**
   * Makes a transaction the one that commits an epoch. It then holds the row's key, so that every
   * other transaction of this query has ended or will fail.
   *
   * @return false if the epoch is committed
   */
  boolean record(byte[] transaction, long epoch) {
    KuduClient client = connection.client();
    try (KuduTransaction open = KuduTransaction.deserialize(transaction, client.asyncClient())) {
      KuduTable table = client.openTable(TABLE);
      KuduSession session = open.newKuduSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND); // collects errors of rows
      Upsert upsert = table.newUpsert();
      key.fill(upsert.getRow()).addLong(2, epoch);
      session.apply(upsert);
      session.close();
      RowError[] errors = session.getPendingErrors().getRowErrors();
      if (errors.length > 0) {
        throw new IllegalStateException(
            "Epoch "
                + epoch
                + " cannot be recorded, since an earlier run of the stream may still commit it;"
                + " start the stream again: "
                + errors[0].getErrorStatus());
      }
      return key.lastCommitted(connection) < epoch;
    } catch (KuduException e) {
      throw failure(e);
    } catch (IOException e) {
      throw new IllegalStateException("Epoch " + epoch + " cannot be recorded", e);
    }
  }

  private static RuntimeException failure(KuduException cause) {
    return ClusterErrors.of("The epochs of a stream, in table " + TABLE, cause);
  }
}
