package dev.kudu4j.spark.changes;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A table (id INT, v BIGINT, name STRING) that is written all the time: inserts, updates, upserts
 * and deletes of random keys, one in eight batches in a transaction. It knows its rows.
 */
final class ChangingTable implements AutoCloseable {
  private static final int PAUSE_MILLIS = 10;
  private static final int MAX_ROWS = 30;
  private static final int BATCHES_PER_TRANSACTION = 8;

  private final KuduClient client;
  private final KuduTable table;
  private final Random random;
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> writes;

  private final Map<Integer, String> rows = new TreeMap<>(); // of the writing thread
  private long nextValue;
  private volatile int keys;

  /**
   * @param keys are those from 0 to this number
   */
  ChangingTable(KuduClient client, String name, int keys, long seed) throws KuduException {
    this.client = client;
    this.table = client.openTable(name);
    this.keys = keys;
    this.random = new Random(seed);
    this.writes =
        executor.scheduleWithFixedDelay(this::write, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Adds a range partition behind the last one, and writes its keys, too.
   *
   * @param length the number of its keys; there is no new partition for 0
   */
  void addRange(int length) throws KuduException {
    if (length == 0) {
      return;
    }
    int first = keys;
    PartialRow lower = table.getSchema().newPartialRow();
    lower.addInt("id", first);
    PartialRow upper = table.getSchema().newPartialRow();
    upper.addInt("id", first + length);
    client.alterTable(table.getName(), new AlterTableOptions().addRangePartition(lower, upper));
    keys = first + length;
  }

  private void write() {
    try {
      if (random.nextInt(BATCHES_PER_TRANSACTION) == 0) {
        try (KuduTransaction transaction = client.newTransaction()) {
          writeBatch(transaction.newKuduSession());
          transaction.commit();
        }
      } else {
        writeBatch(client.newSession());
      }
    } catch (KuduException e) {
      throw new IllegalStateException(e);
    }
  }

  private void writeBatch(KuduSession session) throws KuduException {
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int count = 1 + random.nextInt(MAX_ROWS); count > 0; count--) {
      session.apply(operation(random.nextInt(keys)));
    }
    List<OperationResponse> responses = session.flush();
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        throw new IllegalStateException(response.getRowError().toString());
      }
    }
    session.close();
  }

  private Operation operation(int id) {
    boolean present = rows.containsKey(id);
    if (present && random.nextInt(3) == 0) {
      Operation delete = table.newDelete();
      delete.getRow().addInt("id", id);
      rows.remove(id);
      return delete;
    }
    Operation write =
        random.nextInt(4) == 0
            ? table.newUpsert()
            : present ? table.newUpdate() : table.newInsert();
    PartialRow row = write.getRow();
    long value = nextValue++;
    String name = random.nextInt(5) == 0 ? null : "name " + value % 7;
    row.addInt("id", id);
    row.addLong("v", value);
    if (name == null) {
      row.setNull("name");
    } else {
      row.addString("name", name);
    }
    rows.put(id, id + "|" + value + "|" + name);
    return write;
  }

  /** Ends the writes, and returns the rows in the order of their keys, their cells with bars. */
  List<String> end() throws InterruptedException, ExecutionException {
    executor.shutdown(); // drops the next write
    if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new AssertionError("A write does not end");
    }
    if (!writes.isCancelled()) {
      writes.get(); // fails if a write has failed
    }
    return List.copyOf(rows.values());
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
