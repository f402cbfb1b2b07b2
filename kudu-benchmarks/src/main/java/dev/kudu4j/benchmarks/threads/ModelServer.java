package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.Registration;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A cluster of one tablet server with one thread model, its table, and its clients. */
final class ModelServer implements AutoCloseable {
  private static final String TABLE = "threads";
  private static final long LOCATE_TIMEOUT_MILLIS = 30_000;
  private static final int QUEUE_LENGTH = 1_000; // no call of 128 clients is rejected

  private final String model;
  private final Cluster cluster;
  private final Clients clients;

  /** The result of one trial. */
  record Trial(Histogram latencies, double cpuNanos) {}

  private ModelServer(String model, Cluster cluster, Clients clients) {
    this.model = model;
    this.cluster = cluster;
    this.clients = clients;
  }

  /** Starts the cluster, and loads and flushes the table. */
  static ModelServer start(
      String model, OurDistribution ours, Path directory, int rows, StatusClient rpc)
      throws Exception {
    List<String> flags =
        List.of("--rpc_thread_model=" + model, "--rpc_service_queue_length=" + QUEUE_LENGTH);
    Cluster cluster = Cluster.start(ours, directory, 1, flags, rpc);
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Registration.await(client, 1);
      KuduTable table = load(client, rows);
      cluster.flush();
      byte[] tablet = table.getTabletsLocations(LOCATE_TIMEOUT_MILLIS).get(0).getTabletId();
      ScanRequests requests = new ScanRequests(table, ByteString.copyFrom(tablet), rows);
      return new ModelServer(
          model, cluster, new Clients(cluster.tabletServers().get(0).address(), requests));
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  private static KuduTable load(KuduClient client, int rows) throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("amount", Type.DOUBLE).build(),
                new ColumnSchemaBuilder("note", Type.STRING).build()));
    KuduTable table =
        client.createTable(
            TABLE,
            schema,
            new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(1));
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < rows; id++) {
      Insert insert = table.newInsert();
      PartialRow row = insert.getRow();
      row.addLong(0, id);
      row.addDouble(1, id / 100.0);
      row.addString(2, "note number " + id * 7_919 % rows);
      session.apply(insert);
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new IllegalStateException(
          "The load failed: " + session.getPendingErrors().getRowErrors()[0]);
    }
    return table;
  }

  String model() {
    return model;
  }

  Trial run(CallKind kind, int clientCount, long nanos) {
    double before = cluster.cpuNanos();
    Histogram latencies = clients.run(kind, clientCount, nanos);
    return new Trial(latencies, cluster.cpuNanos() - before);
  }

  @Override
  public void close() {
    try (cluster) {
      clients.close();
    }
  }
}
