package dev.kudu4j.benchmarks.workload.ours;

import static dev.kudu4j.benchmarks.report.Samples.percentile;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.OwnProcess;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Round;
import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.function.ObjDoubleConsumer;

/**
 * One pass of all workloads over one cluster: its own client, its own tables, which are gone
 * afterwards. It begins and ends with idle servers.
 */
public final class ClientRound implements Round {
  /** Scans repeat until this many rows were read: server CPU is counted in steps of 10 ms. */
  private static final long ROWS_TO_SCAN = 6_000_000;

  private static final int SINGLE_INSERTS = 2_000;
  private static final int WRITERS = 64;
  private static final int INSERTS_OF_WRITER = 200;
  private static final int TABLE_CREATIONS = 5;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Cluster cluster;
  private final Workload workload;
  private final ObjDoubleConsumer<Figure> figures;

  /**
   * @param figures told what was measured
   */
  public ClientRound(Cluster cluster, Workload workload, ObjDoubleConsumer<Figure> figures) {
    this.cluster = cluster;
    this.workload = workload;
    this.figures = figures;
  }

  @Override
  public void run(String name) throws Exception {
    cluster.awaitIdle();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddress()).build()) {
      Tables tables = new Tables(client, workload.replicas());
      tables.awaitTabletServers();
      createTables(tables, name);
      KuduTable table = tables.create(name, LineItems.TABLETS);
      Loaded loaded = load(client, table);
      scan(client, table, loaded, RowDataFormat.COLUMNAR);
      scan(client, table, loaded, RowDataFormat.ROWWISE);
      lookUp(client, table, loaded);
      insertSingleRows(client, table);
      tables.drop(name);
      insertFromManyWriters(client, tables, name + "_writers");
    }
    cluster.awaitIdle();
  }

  private void createTables(Tables tables, String name) throws KuduException {
    long[] nanos = tables.timeCreations(name + "_created_", TABLE_CREATIONS);
    figures.accept(Figure.CREATE_TABLE_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(Figure.CREATE_TABLE_MAX, percentile(nanos, 100) / NANOS_PER_MILLI);
  }

  private Loaded load(KuduClient client, KuduTable table) throws Exception {
    long cpuBefore = cluster.cpuNanos();
    long clientCpuBefore = OwnProcess.cpuNanos();
    Loaded loaded = new TableLoad(client, table, workload.scale()).run();
    long clientCpu = OwnProcess.cpuNanos() - clientCpuBefore;
    long cpuAtLastAnswer = cluster.cpuNanos();
    cluster.flush();
    cluster.awaitIdle();
    long cpuAtRest = cluster.cpuNanos();
    double rows = loaded.rows();
    figures.accept(Figure.LOAD_ROWS, rows * NANOS_PER_SECOND / loaded.nanos());
    figures.accept(Figure.LOAD_CPU, (cpuAtLastAnswer - cpuBefore) / NANOS_PER_MICRO / rows);
    figures.accept(Figure.LOAD_CLIENT_CPU, clientCpu / NANOS_PER_MICRO / rows);
    figures.accept(Figure.LOAD_FLUSH_CPU, (cpuAtRest - cpuBefore) / NANOS_PER_MICRO / rows);
    return loaded;
  }

  private void scan(KuduClient client, KuduTable table, Loaded loaded, RowDataFormat layout)
      throws KuduException {
    TableScan scan = new TableScan(client, table, layout);
    long rows = 0;
    long nanos = 0;
    long cpuBefore = cluster.cpuNanos();
    long clientCpuBefore = OwnProcess.cpuNanos();
    while (rows < ROWS_TO_SCAN) {
      nanos += scan.run(loaded);
      rows += loaded.rows();
    }
    double clientCpuPerRow = (OwnProcess.cpuNanos() - clientCpuBefore) / NANOS_PER_MICRO / rows;
    double cpuPerRow = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MICRO / rows;
    boolean columnar = layout == RowDataFormat.COLUMNAR;
    figures.accept(
        columnar ? Figure.SCAN_COLUMNAR_ROWS : Figure.SCAN_ROWWISE_ROWS,
        rows * NANOS_PER_SECOND / nanos);
    figures.accept(columnar ? Figure.SCAN_COLUMNAR_CPU : Figure.SCAN_ROWWISE_CPU, cpuPerRow);
    figures.accept(
        columnar ? Figure.SCAN_COLUMNAR_CLIENT_CPU : Figure.SCAN_ROWWISE_CLIENT_CPU,
        clientCpuPerRow);
  }

  private void lookUp(KuduClient client, KuduTable table, Loaded loaded) throws KuduException {
    long cpuBefore = cluster.cpuNanos();
    long[] nanos = new PointLookups(client, table).run(loaded.sample());
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(Figure.LOOKUP_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(Figure.LOOKUP_P99, percentile(nanos, 99) / NANOS_PER_MILLI);
    figures.accept(Figure.LOOKUP_CPU, cpu / nanos.length);
  }

  private void insertSingleRows(KuduClient client, KuduTable table) throws KuduException {
    long cpuBefore = cluster.cpuNanos();
    long[] nanos = new SingleInserts(client, table).run(SINGLE_INSERTS);
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(Figure.INSERT_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(Figure.INSERT_P99, percentile(nanos, 99) / NANOS_PER_MILLI);
    figures.accept(Figure.INSERT_CPU, cpu / nanos.length);
  }

  /** One tablet, so that the writers meet in one log. */
  private void insertFromManyWriters(KuduClient client, Tables tables, String name)
      throws Exception {
    KuduTable table = tables.create(name, 1);
    double one = insertConcurrently(client, table, 1, SINGLE_INSERTS / 2);
    long cpuBefore = cluster.cpuNanos();
    double many = insertConcurrently(client, table, WRITERS, INSERTS_OF_WRITER);
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(Figure.INSERT_1, one);
    figures.accept(Figure.INSERT_64, many);
    figures.accept(Figure.INSERT_64_CPU, cpu / (WRITERS * INSERTS_OF_WRITER));
    tables.drop(name);
  }

  private static double insertConcurrently(
      KuduClient client, KuduTable table, int writers, int insertsEach) throws Exception {
    long nanos = new ConcurrentInserts(client, table).run(writers, insertsEach);
    return writers * insertsEach * NANOS_PER_SECOND / nanos;
  }
}
