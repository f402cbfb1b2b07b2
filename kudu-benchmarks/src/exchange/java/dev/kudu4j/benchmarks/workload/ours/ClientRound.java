package dev.kudu4j.benchmarks.workload.ours;

import static dev.kudu4j.benchmarks.report.Samples.percentile;

import dev.kudu4j.benchmarks.cluster.OwnProcess;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.workload.GeneratedItems;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import dev.kudu4j.benchmarks.workload.Round;
import dev.kudu4j.benchmarks.workload.ServerFigure;
import dev.kudu4j.benchmarks.workload.Step;
import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ObjDoubleConsumer;

/**
 * One pass of the workload's steps over one cluster. A round has its own client and tables, and
 * drops the tables at the end. It waits for idle servers at its begin and its end.
 */
public final class ClientRound implements Round {
  /**
   * A scan is repeated until this many rows are read, but at most {@link #MAX_SCANS} times. One
   * scan would be too short, since the servers' CPU time has a resolution of 10 ms.
   */
  private static final long ROWS_TO_SCAN = 6_000_000;

  private static final int MAX_SCANS = 20;

  private static final int SINGLE_INSERTS = 2_000;
  private static final int INSERTS_OF_ALL_WRITERS = 12_800;
  private static final int TABLE_CREATIONS = 5;

  /**
   * More than one thread, since rows are generated while they are sent and the client needs a large
   * part of the time.
   */
  private static final int LOAD_THREADS = 2;

  private static final double SINGLE_ROWS_SCALE = 0.01;
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final TargetCluster cluster;
  private final Workload workload;
  private final ObjDoubleConsumer<Figure> figures;
  private final LineItemPool singleRows = new LineItemPool(SINGLE_ROWS_SCALE);

  /**
   * @param figures receives the measured values, and NaN for those that cannot be measured
   */
  public ClientRound(TargetCluster cluster, Workload workload, ObjDoubleConsumer<Figure> figures) {
    this.cluster = cluster;
    this.workload = workload;
    this.figures = figures;
  }

  @Override
  public void run(String name) throws Exception {
    cluster.awaitIdle();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Tables tables = new Tables(client, workload);
      tables.awaitTabletServers();
      if (wants(Step.CREATE_TABLE)) {
        createTables(tables, name);
      }
      if (workload.needsTable()) {
        useTable(client, tables.create(name, LineItems.TABLETS));
        tables.drop(name);
      }
      if (wants(Step.WRITERS)) {
        insertFromManyWriters(client, tables, name + "_writers");
      }
    }
    cluster.awaitIdle();
  }

  private boolean wants(Step step) {
    return workload.steps().contains(step);
  }

  private void useTable(KuduClient client, KuduTable table) throws Exception {
    Loaded loaded = load(client, table);
    if (wants(Step.SIZE)) {
      figures.accept(ServerFigure.SIZE, cluster.dataBytes() / BYTES_PER_MEGABYTE);
      figures.accept(ServerFigure.SIZE_FILES, cluster.fileBytes() / BYTES_PER_MEGABYTE);
    }
    if (wants(Step.SCAN)) {
      scan(client, table, loaded, RowDataFormat.COLUMNAR);
      scan(client, table, loaded, RowDataFormat.ROWWISE);
    }
    if (wants(Step.LOOK_UP)) {
      lookUp(client, table, loaded);
    }
    if (wants(Step.INSERT)) {
      insertSingleRows(client, table);
    }
  }

  private void createTables(Tables tables, String name) throws KuduException {
    long[] nanos = tables.timeCreations(name + "_created_", TABLE_CREATIONS);
    figures.accept(ServerFigure.CREATE_TABLE_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(ServerFigure.CREATE_TABLE_MAX, percentile(nanos, 100) / NANOS_PER_MILLI);
  }

  private Loaded load(KuduClient client, KuduTable table) throws Exception {
    new GeneratedItems(workload.scale(), 1, 1).next(); // creates the generator's text up front
    double cpuBefore = cluster.cpuNanos();
    long clientCpuBefore = OwnProcess.cpuNanos();
    Loaded loaded = loadFromThreads(client, table);
    long clientCpu = OwnProcess.cpuNanos() - clientCpuBefore;
    double cpuAtLastAnswer = cluster.cpuNanos();
    cluster.flush();
    cluster.awaitIdle();
    double cpuAtRest = cluster.cpuNanos();
    if (!wants(Step.LOAD)) {
      return loaded;
    }
    double rows = loaded.rows();
    figures.accept(ServerFigure.LOAD_ROWS, rows * NANOS_PER_SECOND / loaded.nanos());
    figures.accept(ServerFigure.LOAD_CPU, (cpuAtLastAnswer - cpuBefore) / NANOS_PER_MICRO / rows);
    figures.accept(ServerFigure.LOAD_CLIENT_CPU, clientCpu / NANOS_PER_MICRO / rows);
    figures.accept(ServerFigure.LOAD_FLUSH_CPU, (cpuAtRest - cpuBefore) / NANOS_PER_MICRO / rows);
    return loaded;
  }

  private Loaded loadFromThreads(KuduClient client, KuduTable table) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(LOAD_THREADS);
    try {
      return new TableLoad(client, table, workload.types(), threads)
          .run(LOAD_THREADS, part -> new GeneratedItems(workload.scale(), part, LOAD_THREADS));
    } finally {
      threads.shutdownNow();
    }
  }

  private void scan(KuduClient client, KuduTable table, Loaded loaded, RowDataFormat layout)
      throws KuduException {
    TableScan scan = new TableScan(client, table, workload.types(), layout, Reading.SIX_COLUMNS);
    long rows = 0;
    long nanos = 0;
    double cpuBefore = cluster.cpuNanos();
    long clientCpuBefore = OwnProcess.cpuNanos();
    for (int i = 0; i < MAX_SCANS && rows < ROWS_TO_SCAN; i++) {
      nanos += scan.run(loaded);
      rows += loaded.rows();
    }
    double clientCpuPerRow = (OwnProcess.cpuNanos() - clientCpuBefore) / NANOS_PER_MICRO / rows;
    double cpuPerRow = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MICRO / rows;
    boolean columnar = layout == RowDataFormat.COLUMNAR;
    figures.accept(
        columnar ? ServerFigure.SCAN_COLUMNAR_ROWS : ServerFigure.SCAN_ROWWISE_ROWS,
        rows * NANOS_PER_SECOND / nanos);
    figures.accept(
        columnar ? ServerFigure.SCAN_COLUMNAR_CPU : ServerFigure.SCAN_ROWWISE_CPU, cpuPerRow);
    figures.accept(
        columnar ? ServerFigure.SCAN_COLUMNAR_CLIENT_CPU : ServerFigure.SCAN_ROWWISE_CLIENT_CPU,
        clientCpuPerRow);
  }

  private void lookUp(KuduClient client, KuduTable table, Loaded loaded) throws KuduException {
    double cpuBefore = cluster.cpuNanos();
    long[] nanos = new PointLookups(client, table).run(loaded.sample());
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(ServerFigure.LOOKUP_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(ServerFigure.LOOKUP_P99, percentile(nanos, 99) / NANOS_PER_MILLI);
    figures.accept(ServerFigure.LOOKUP_CPU, cpu / nanos.length);
  }

  private void insertSingleRows(KuduClient client, KuduTable table) throws KuduException {
    double cpuBefore = cluster.cpuNanos();
    long[] nanos =
        new SingleInserts(client, table, workload.types())
            .run(singleRows.extraRows(0), SINGLE_INSERTS);
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(ServerFigure.INSERT_P50, percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.accept(ServerFigure.INSERT_P99, percentile(nanos, 99) / NANOS_PER_MILLI);
    figures.accept(ServerFigure.INSERT_CPU, cpu / nanos.length);
  }

  /**
   * Measures single inserts from many writers into one tablet, so that all of them use one Raft
   * log.
   */
  private void insertFromManyWriters(KuduClient client, Tables tables, String name)
      throws Exception {
    KuduTable table = tables.create(name, 1);
    ConcurrentInserts inserts = new ConcurrentInserts(client, table, workload.types(), singleRows);
    figures.accept(ServerFigure.INSERT_1, insertsPerSecond(inserts, 1, SINGLE_INSERTS / 2));
    insertFromWriters(inserts, 16, ServerFigure.INSERT_16, ServerFigure.INSERT_16_CPU);
    insertFromWriters(inserts, 64, ServerFigure.INSERT_64, ServerFigure.INSERT_64_CPU);
    tables.drop(name);
  }

  private void insertFromWriters(
      ConcurrentInserts inserts, int writers, ServerFigure rate, ServerFigure cpu)
      throws Exception {
    double cpuBefore = cluster.cpuNanos();
    figures.accept(rate, insertsPerSecond(inserts, writers, INSERTS_OF_ALL_WRITERS / writers));
    double millis = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MILLI;
    figures.accept(cpu, millis / INSERTS_OF_ALL_WRITERS);
  }

  private static double insertsPerSecond(ConcurrentInserts inserts, int writers, int each)
      throws Exception {
    return writers * each * NANOS_PER_SECOND / inserts.run(writers, each);
  }
}
