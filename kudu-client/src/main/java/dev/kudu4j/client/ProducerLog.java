package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import java.util.List;
import java.util.Map;

/**
 * The batches of a named producer, as rows that its batches change: a row with the number 0 exists
 * since the producer was first opened, and another one has the number of the batch to come. Batch n
 * deletes the row n and inserts the row n + 1. So it cannot be committed twice, not before batch n
 * - 1, and not by two processes: the DELETE or the INSERT would fail.
 */
final class ProducerLog {
  /** The table of all producers, which the first of them creates. */
  static final String TABLE = "kudu_system.kudu4j_producers";

  private static final int MAX_REPLICAS = 3;

  /** Each batch leaves a deleted row, until it is older. */
  private static final String HISTORY_SECONDS = "600";

  private static final String PRODUCER = "producer";
  private static final String BATCH = "batch";
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new ColumnSchema.ColumnSchemaBuilder(PRODUCER, Type.STRING).key(true).build(),
              new ColumnSchema.ColumnSchemaBuilder(BATCH, Type.INT64).key(true).build()));

  private final KuduClient client;
  private final KuduTable table;
  private final String name;

  private ProducerLog(KuduClient client, KuduTable table, String name) {
    this.client = client;
    this.table = table;
    this.name = name;
  }

  static ProducerLog open(KuduClient client, String name) throws KuduException {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A producer's name must not be empty");
    }
    return new ProducerLog(client, openTable(client), name);
  }

  private static KuduTable openTable(KuduClient client) throws KuduException {
    if (!client.tableExists(TABLE)) {
      int servers = client.listTabletServers().getTabletServersCount();
      try {
        return client.createTable(
            TABLE,
            SCHEMA,
            new CreateTableOptions()
                .setRangePartitionColumns(List.of())
                .setExtraConfigs(Map.of("kudu.table.history_max_age_sec", HISTORY_SECONDS))
                .setNumReplicas(servers >= MAX_REPLICAS ? MAX_REPLICAS : 1));
      } catch (KuduException e) {
        if (!e.getStatus().isAlreadyPresent()) {
          throw e;
        }
      }
    }
    return client.openTable(TABLE);
  }

  /**
   * Makes sure that no batch of an earlier process is under way, and returns the number of the last
   * batch that is committed. A batch that is under way holds the next row, so it has ended when
   * this producer has changed the row.
   */
  long takeOver() throws KuduException {
    for (; ; ) {
      long next = next();
      try {
        new BatchCommit(client, List.of(), next == 0 ? new First() : new Touch(next))
            .run(null, BatchCommit.Progress.IGNORED);
        return Math.max(1, next) - 1;
      } catch (MovedOnException e) {
        // the batch that was under way is committed now
      }
    }
  }

  /** The number of the next batch; 0 if the producer is new. */
  private long next() throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    SCHEMA.getColumn(PRODUCER), KuduPredicate.ComparisonOp.EQUAL, name))
            .build();
    long next = 0;
    for (RowResult row : scanner) {
      next = Math.max(next, row.getLong(BATCH));
    }
    return next;
  }

  /** The rows that a batch changes. */
  BatchCommit.LastRows advanceFrom(long committed) {
    long batch = committed + 1;
    return new BatchCommit.LastRows() {
      @Override
      public List<Operation> rows() {
        return List.of(row(table.newDelete(), batch), row(table.newInsert(), batch + 1));
      }

      @Override
      public KuduException explain(Status error) {
        return new NonRecoverableException(
            Status.IllegalState(
                "Another producer named "
                    + name
                    + " has committed batch "
                    + batch
                    + "; this batch is not committed"));
      }
    };
  }

  private Operation row(Operation operation, long batch) {
    operation.getRow().addString(PRODUCER, name);
    operation.getRow().addLong(BATCH, batch);
    return operation;
  }

  /** The rows are not as they were read. */
  private static final class MovedOnException extends NonRecoverableException {
    private static final long serialVersionUID = 1L;

    MovedOnException(Status status) {
      super(status);
    }
  }

  private final class First implements BatchCommit.LastRows {
    @Override
    public List<Operation> rows() {
      return List.of(row(table.newInsert(), 0), row(table.newInsert(), 1));
    }

    @Override
    public KuduException explain(Status error) {
      return new MovedOnException(error);
    }
  }

  private final class Touch implements BatchCommit.LastRows {
    private final long next;

    Touch(long next) {
      this.next = next;
    }

    @Override
    public List<Operation> rows() {
      return List.of(row(table.newDelete(), next), row(table.newInsert(), next));
    }

    @Override
    public KuduException explain(Status error) {
      return new MovedOnException(error);
    }
  }
}
