package dev.kudu4j.benchmarks.index;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.mixed.Pace;
import dev.kudu4j.benchmarks.selection.GlobalIndexes;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Records of five columns: a key, two indexed numbers, and two pieces of random bytes, which make
 * up its size. Each client inserts one record after the other.
 */
final class RecordInserts implements InsertWork {
  private static final int TABLETS = 4;
  private static final int NUMBERS = 1_000_000;
  private static final int POOL_BYTES = 4 << 20;

  private final int recordBytes;
  private final int records;
  private final byte[] pool = new byte[POOL_BYTES];
  private final List<KuduClient> clients = new ArrayList<>();
  private final ExecutorService threads;
  private String table = "";

  /**
   * @param clientCount number of clients, each with its own connections
   * @param totalBytes size of all records together
   */
  RecordInserts(String masters, int clientCount, int recordBytes, long totalBytes) {
    this.recordBytes = recordBytes;
    this.records = (int) Math.max(clientCount, totalBytes / recordBytes);
    new Random(1).nextBytes(pool);
    this.threads = Executors.newFixedThreadPool(clientCount);
    for (int i = 0; i < clientCount; i++) {
      clients.add(new KuduClient.KuduClientBuilder(masters).build());
    }
  }

  @Override
  public String title() {
    return "records of " + (recordBytes >> 10) + " KB";
  }

  @Override
  public void create(String name, Indexing indexing) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("customer", Type.INT32).build(),
                new ColumnSchemaBuilder("day", Type.INT32).build(),
                new ColumnSchemaBuilder("head", Type.BINARY).build(),
                new ColumnSchemaBuilder("body", Type.BINARY).build()));
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1);
    indexing.on("customer", "day").forEach(options::addIndex);
    clients.get(0).createTable(name, schema, options);
    table = name;
    GlobalIndexes.awaitReady(clients.get(0), name);
  }

  @Override
  public boolean isSingle() {
    return true;
  }

  @Override
  public long rows() {
    return records;
  }

  @Override
  public Histogram insert(double maxPerSecond) throws Exception {
    List<Future<Histogram>> shares = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      int client = i;
      shares.add(threads.submit(() -> insertShare(client, maxPerSecond / clients.size())));
    }
    Histogram all = new Histogram(3);
    for (Future<Histogram> share : shares) {
      all.add(share.get());
    }
    return all;
  }

  private Histogram insertShare(int client, double maxPerSecond) throws KuduException {
    KuduTable opened = clients.get(client).openTable(table);
    KuduSession session = clients.get(client).newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    SplittableRandom random = new SplittableRandom(client);
    Histogram latencies = new Histogram(3);
    Pace pace = new Pace(maxPerSecond);
    for (int id = client; id < records; id += clients.size()) {
      Insert insert = opened.newInsert();
      fill(insert.getRow(), id, random);
      pace.awaitTurn();
      long startNanos = System.nanoTime();
      OperationResponse answer = session.apply(insert);
      latencies.recordValue(System.nanoTime() - startNanos);
      if (answer.hasRowError()) {
        throw new IllegalStateException("A row was rejected: " + answer.getRowError());
      }
    }
    session.close();
    return latencies;
  }

  private void fill(PartialRow row, int id, SplittableRandom random) {
    row.addLong(0, id);
    row.addInt(1, random.nextInt(NUMBERS));
    row.addInt(2, random.nextInt(NUMBERS));
    int half = recordBytes / 2;
    for (int column = 3; column <= 4; column++) {
      int from = random.nextInt(POOL_BYTES - half);
      row.addBinary(column, Arrays.copyOfRange(pool, from, from + half));
    }
  }

  @Override
  public void awaitIndexes() throws KuduException {
    GlobalIndexes.awaitRows(clients.get(0), table, records);
  }

  @Override
  public void drop() throws KuduException {
    clients.get(0).deleteTable(table);
  }

  @Override
  public void close() throws KuduException {
    threads.shutdownNow();
    for (KuduClient client : clients) {
      client.close();
    }
  }
}
