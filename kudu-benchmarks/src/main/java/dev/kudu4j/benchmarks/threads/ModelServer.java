package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.selection.OurSelections;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A cluster of one tablet server with one thread model, its table, and its clients. */
final class ModelServer implements AutoCloseable {
  private static final int LOAD_THREADS = 2;
  private static final int QUEUE_LENGTH = 1_000; // no call of 128 clients is rejected

  /** Enough for scans of text by all clients at once: the benchmark does not repeat a call. */
  private static final long MEMORY_BYTES = 4L << 30;

  /** Flags of servers that do not flush. */
  private static final List<String> IN_MEMORY =
      List.of("--flush_threshold_mb=4096", "--flush_threshold_secs=86400");

  private final String model;
  private final Cluster cluster;
  private final Clients clients;
  private final List<ScanOperation> operations;

  /** The result of one trial. */
  record Trial(Histogram latencies, double cpuNanos) {}

  private ModelServer(
      String model, Cluster cluster, Clients clients, List<ScanOperation> operations) {
    this.model = model;
    this.cluster = cluster;
    this.clients = clients;
    this.operations = operations;
  }

  /** Starts the cluster, and loads the table. */
  static ModelServer start(
      String model, OurDistribution ours, Path directory, ModelTable table, StatusClient rpc)
      throws Exception {
    List<String> flags = new ArrayList<>();
    flags.add("--rpc_thread_model=" + model);
    flags.add("--rpc_service_queue_length=" + QUEUE_LENGTH);
    flags.add("--memory_limit_hard_bytes=" + MEMORY_BYTES);
    if (table.isInMemory()) {
      flags.addAll(IN_MEMORY);
    }
    Cluster cluster = Cluster.start(ours, directory, 1, flags, rpc);
    try (OurSelections loaded =
        new OurSelections(cluster.masterAddresses(), table.rows(), 1, table.indexes())) {
      loaded.load(LOAD_THREADS);
      if (!table.isInMemory()) {
        cluster.flush();
      }
      cluster.awaitIdle();
      List<ScanOperation> operations = table.operations(loaded.schema(), loaded.firstTabletId());
      Clients clients = new Clients(cluster.tabletServers().get(0).address());
      return new ModelServer(model, cluster, clients, operations);
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  String model() {
    return model;
  }

  /** The titles of the operations. */
  List<String> titles() {
    return operations.stream().map(ScanOperation::title).toList();
  }

  /**
   * @param operation index of the operation
   */
  Trial run(int operation, int clientCount, long nanos) {
    double before = cluster.cpuNanos();
    Histogram latencies = clients.run(operations.get(operation), clientCount, nanos);
    return new Trial(latencies, cluster.cpuNanos() - before);
  }

  @Override
  public void close() {
    try (cluster) {
      clients.close();
    }
  }
}
