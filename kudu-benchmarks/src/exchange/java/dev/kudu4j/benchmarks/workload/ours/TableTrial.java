package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.ClientTrial;
import dev.kudu4j.benchmarks.workload.Compression;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.LineItemStream;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import dev.kudu4j.benchmarks.workload.Step;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.EnumSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs the measured operations with one client, on one table at a time. */
public class TableTrial implements ClientTrial {
  private static final int MAX_THREADS = 2;
  private static final int READERS = 16;

  /** Sums of doubles depend slightly on the order of rows. */
  private static final double ROUNDING = 1e-9;

  private final KuduClient client;

  /**
   * The threads live until the end of the process, since the allocations of ended threads cannot be
   * measured.
   */
  private final ExecutorService threads = Executors.newFixedThreadPool(MAX_THREADS);

  private final ExecutorService readers = Executors.newFixedThreadPool(READERS);

  private KuduTable table;
  private double everyCell = Double.NaN;

  public TableTrial(String masters) {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
  }

  protected KuduClient client() {
    return client;
  }

  protected KuduTable table() {
    return table;
  }

  @Override
  public void create(String name, int replicas) throws KuduException {
    Workload workload =
        new Workload(1, replicas, Types.SIMPLE, Compression.SERVER, EnumSet.of(Step.LOAD));
    Tables tables = new Tables(client, workload);
    tables.awaitTabletServers();
    table = tables.create(name, LineItems.TABLETS);
    everyCell = Double.NaN;
  }

  @Override
  public void drop() throws KuduException {
    client.deleteTable(table.getName());
  }

  @Override
  public Loaded load(LineItemPool pool, int parts) throws Exception {
    return new TableLoad(client, table, Types.SIMPLE, threads)
        .run(parts, part -> pool.share(part, parts));
  }

  @Override
  public long scan(Loaded expected, Reading reading, boolean columnar) throws KuduException {
    RowDataFormat layout = columnar ? RowDataFormat.COLUMNAR : RowDataFormat.ROWWISE;
    TableScan scan = new TableScan(client, table, Types.SIMPLE, layout, reading);
    long nanos = scan.run(expected);
    if (reading == Reading.EVERY_CELL) {
      checkEveryCell(scan.everyCell());
    }
    return nanos;
  }

  /** Checks that all scans of a table have the same sum over all cells. */
  protected final void checkEveryCell(double sum) {
    if (Double.isNaN(everyCell)) {
      everyCell = sum;
    }
    if (!(Math.abs(sum - everyCell) <= ROUNDING * everyCell)) {
      throw new IllegalStateException(
          "The cells of " + table.getName() + " sum to " + sum + ", earlier to " + everyCell);
    }
  }

  @Override
  public long[] lookUp(KeySample keys) throws KuduException {
    return new PointLookups(client, table).run(keys);
  }

  @Override
  public long lookUpConcurrently(KeySample keys) throws Exception {
    return new PointLookups(client, table).runConcurrently(keys, readers, READERS);
  }

  @Override
  public long[] insertSingly(LineItemStream rows, int count) throws KuduException {
    return new SingleInserts(client, table, Types.SIMPLE).run(rows, count);
  }

  @Override
  public void close() throws KuduException {
    threads.shutdownNow();
    readers.shutdownNow();
    client.close();
  }
}
