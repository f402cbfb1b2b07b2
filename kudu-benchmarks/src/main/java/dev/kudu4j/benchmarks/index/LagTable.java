package dev.kudu4j.benchmarks.index;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.mixed.Pace;
import dev.kudu4j.benchmarks.selection.GlobalIndexes;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A table that gets batches of rows, and its global index on the number of the batch. Some rows of
 * each batch have its number, all others a number of their own.
 *
 * <p>One thread writes, another one reads.
 */
final class LagTable implements AutoCloseable {
  private static final int TABLETS = 4;
  private static final int BATCHES_PER_SECOND = 100;
  private static final int NUMBERED_ROWS = 10;
  private static final int BUFFERED_ROWS = 1 << 20;
  private static final String NUMBER = "batch";
  private static final String NOTE = "a row of about a hundred bytes, most of which are this text";

  private static final long NEXT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NEXT_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final KuduClient client;
  private final KuduTable table;
  private final KuduTable index;
  private long rows;
  private volatile Batch last = new Batch(0, 0, System.nanoTime());
  private volatile boolean ending;

  /**
   * An acknowledged batch.
   *
   * @param rows those that have its number
   */
  record Batch(long number, int rows, long acknowledgedNanos) {}

  /** Creates the table. */
  LagTable(String masters, Indexing kind, int replicas) throws KuduException {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    String name = "lag_" + kind.title();
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(replicas);
    kind.on(NUMBER).forEach(options::addIndex);
    client.createTable(name, schema(), options);
    GlobalIndexes.awaitReady(client, name);
    this.table = client.openTable(name);
    this.index = client.openTable(name + "@" + kind.on(NUMBER).get(0).getName());
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder(NUMBER, Type.INT64).build(),
            new ColumnSchemaBuilder("note", Type.STRING).build()));
  }

  /** Inserts until {@link #stop}, and returns the rows a second. */
  double insert(int rowsPerSecond) throws KuduException {
    ending = false;
    int size = Math.max(1, rowsPerSecond / BATCHES_PER_SECOND);
    Pace pace = new Pace(rowsPerSecond / (double) size);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(BUFFERED_ROWS);
    long startNanos = System.nanoTime();
    long before = rows;
    while (!ending) {
      pace.awaitTurn();
      insertBatch(session, last.number + 1, size);
    }
    double rate = (rows - before) / ((System.nanoTime() - startNanos) / 1e9);
    session.close();
    return rate;
  }

  private void insertBatch(KuduSession session, long number, int size) throws KuduException {
    for (int i = 0; i < size; i++) {
      Insert insert = table.newInsert();
      PartialRow row = insert.getRow();
      row.addLong(0, rows);
      row.addLong(1, i < NUMBERED_ROWS ? number : -rows);
      row.addString(2, NOTE);
      rows++;
      session.apply(insert);
    }
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    if (!errors.isEmpty()) {
      throw new IllegalStateException("A write failed: " + errors.get(0));
    }
    last = new Batch(number, Math.min(size, NUMBERED_ROWS), System.nanoTime());
  }

  /** Ends {@link #insert} after the current batch. */
  void stop() {
    ending = true;
  }

  /** The last acknowledged batch. */
  Batch last() {
    return last;
  }

  /** Waits for another batch, if the writer writes one soon, and returns the last one. */
  Batch next() {
    Batch before = last;
    long end = System.nanoTime() + NEXT_NANOS;
    while (last.equals(before) && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(NEXT_POLL_NANOS);
    }
    return last;
  }

  /** Whether the index has a batch. Does not wait for it, and does not hasten it. */
  boolean isIndexed(Batch batch) throws KuduException {
    return count(scanner(index, batch)) == batch.rows;
  }

  /**
   * Reads a batch as any program does.
   *
   * @return whether it was read from the index, and not, because that took too long, from the table
   * @throws IllegalStateException if a row is missing
   */
  boolean read(Batch batch) throws KuduException {
    KuduScanner scanner = scanner(table, batch);
    long found = count(scanner);
    Optional<String> read = scanner.getIndex();
    if (found != batch.rows) {
      throw new IllegalStateException(
          "A read of %s found %d rows of batch %d, of which %d were acknowledged"
              .formatted(read.orElse("the table"), found, batch.number, batch.rows));
    }
    return read.isPresent();
  }

  private KuduScanner scanner(KuduTable read, Batch batch) {
    ColumnSchema number = read.getSchema().getColumn(NUMBER);
    return client
        .newScannerBuilder(read)
        .setProjectedColumnNames(List.of("id", NUMBER))
        .addPredicate(
            KuduPredicate.newComparisonPredicate(number, ComparisonOp.EQUAL, batch.number))
        .build();
  }

  private static long count(KuduScanner scanner) throws KuduException {
    long count = 0;
    while (scanner.hasMoreRows()) {
      count += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return count;
  }

  /** Drops the table. */
  @Override
  public void close() throws KuduException {
    try (client) {
      client.deleteTable(table.getName());
    }
  }
}
