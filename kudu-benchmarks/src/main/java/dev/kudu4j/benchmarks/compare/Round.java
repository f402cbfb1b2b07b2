package dev.kudu4j.benchmarks.compare;

import static dev.kudu4j.benchmarks.report.Samples.percentile;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.workload.LineItems;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.PointLookups;
import dev.kudu4j.benchmarks.workload.SingleInserts;
import dev.kudu4j.benchmarks.workload.TableLoad;
import dev.kudu4j.benchmarks.workload.TableScan;
import dev.kudu4j.benchmarks.workload.Tables;
import java.util.function.ObjDoubleConsumer;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;

/**
 * One pass of all workloads over one cluster: its own client, its own tables, which are gone
 * afterwards. It begins and ends with idle servers.
 */
final class Round {
  /** Scans repeat until this many rows were read: server CPU is counted in steps of 10 ms. */
  private static final long ROWS_TO_SCAN = 6_000_000;

  private static final int SINGLE_INSERTS = 2_000;
  private static final int TABLE_CREATIONS = 5;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Cluster cluster;
  private final double scale;
  private final ObjDoubleConsumer<Figure> figures;

  /**
   * @param figures told what was measured
   */
  Round(Cluster cluster, double scale, ObjDoubleConsumer<Figure> figures) {
    this.cluster = cluster;
    this.scale = scale;
    this.figures = figures;
  }

  void run(String name) throws Exception {
    cluster.awaitIdle();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddress()).build()) {
      Tables tables = new Tables(client);
      tables.awaitTabletServer();
      createTables(tables, name);
      KuduTable table = tables.create(name, LineItems.TABLETS);
      Loaded loaded = load(client, table);
      scan(client, table, loaded, RowDataFormat.COLUMNAR);
      scan(client, table, loaded, RowDataFormat.ROWWISE);
      lookUp(client, table, loaded);
      insertSingleRows(client, table);
      tables.drop(name);
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
    Loaded loaded = new TableLoad(client, table, scale).run();
    long cpuAtLastAnswer = cluster.cpuNanos();
    cluster.flush();
    cluster.awaitIdle();
    long cpuAtRest = cluster.cpuNanos();
    double rows = loaded.rows();
    figures.accept(Figure.LOAD_ROWS, rows * NANOS_PER_SECOND / loaded.nanos());
    figures.accept(Figure.LOAD_CPU, (cpuAtLastAnswer - cpuBefore) / NANOS_PER_MICRO / rows);
    figures.accept(Figure.LOAD_FLUSH_CPU, (cpuAtRest - cpuBefore) / NANOS_PER_MICRO / rows);
    return loaded;
  }

  private void scan(KuduClient client, KuduTable table, Loaded loaded, RowDataFormat layout)
      throws KuduException {
    TableScan scan = new TableScan(client, table, layout);
    long rows = 0;
    long nanos = 0;
    long cpuBefore = cluster.cpuNanos();
    while (rows < ROWS_TO_SCAN) {
      nanos += scan.run(loaded);
      rows += loaded.rows();
    }
    double cpuPerRow = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_MICRO / rows;
    boolean columnar = layout == RowDataFormat.COLUMNAR;
    figures.accept(
        columnar ? Figure.SCAN_COLUMNAR_ROWS : Figure.SCAN_ROWWISE_ROWS,
        rows * NANOS_PER_SECOND / nanos);
    figures.accept(columnar ? Figure.SCAN_COLUMNAR_CPU : Figure.SCAN_ROWWISE_CPU, cpuPerRow);
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
}
