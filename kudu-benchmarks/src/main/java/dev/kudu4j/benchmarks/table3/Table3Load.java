package dev.kudu4j.benchmarks.table3;

import dev.kudu4j.benchmarks.baseline.Amounts;
import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.workload.GeneratedItems;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.QueryTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Starts the contenders one after another, and loads them with the same rows. */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
final class Table3Load implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final String TABLE = "lineitem_table3";

  private final Path directory;
  private final StatusClient rpc;
  private final Table3Settings settings;
  private final Measurements<Contender> measurements;
  private final Consumer<String> progress;
  private final LineItemTable lineItem = new LineItemTable(Amounts.DECIMAL);
  private final Map<Contender, QueryTrial> trials = new EnumMap<>(Contender.class);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>(); // the last one first
  private KeySample keys = new KeySample(0, 0);

  /**
   * @param directory directory of all data; must be empty
   * @param rpc borrowed until this object is closed
   * @param measurements receives times and sizes
   */
  Table3Load(
      Path directory,
      StatusClient rpc,
      Table3Settings settings,
      Measurements<Contender> measurements,
      Consumer<String> progress) {
    this.directory = directory;
    this.rpc = rpc;
    this.settings = settings;
    this.measurements = measurements;
    this.progress = progress;
  }

  /**
   * @param clusters the clusters of Kudu4j and Apache Kudu, if they take part
   */
  void load(Map<Contender, ClusterSource> clusters) throws Exception {
    Files.createDirectories(directory);
    new GeneratedItems(settings.scale(), 1, 1).next(); // creates the generator's text up front
    for (Map.Entry<Contender, ClusterSource> cluster : clusters.entrySet()) {
      loadCluster(cluster.getKey(), cluster.getValue());
    }
    if (settings.has(Contender.DUCKDB)) {
      loadDuckDb();
    }
  }

  private void loadCluster(Contender contender, ClusterSource source) throws Exception {
    Path home = directory.resolve(contender.name().toLowerCase(Locale.ROOT));
    TargetCluster cluster = opened(source.open(home, rpc));
    String masters = cluster.masterAddresses();
    QueryTrial trial =
        opened(
            contender == Contender.KUDU4J
                ? new OurQueries(masters, TABLE, settings.tablets())
                : new dev.kudu4j.benchmarks.workload.published.TableQueries(
                    masters, TABLE, settings.tablets()));
    load(contender, trial);
    cluster.flush();
    cluster.awaitIdle();
    recordBytes(contender, cluster.dataBytes());
  }

  private void loadDuckDb() throws Exception {
    DuckDb duckDb = new DuckDb(lineItem, directory.resolve("lineitem.duckdb"));
    load(Contender.DUCKDB, opened(DuckDbQueries.ofTable(duckDb)));
    recordBytes(Contender.DUCKDB, duckDb.fileBytes());
    if (settings.has(Contender.PARQUET)) {
      Path file = directory.resolve("lineitem.parquet");
      recordBytes(Contender.PARQUET, duckDb.writeParquet(file));
      DuckDb reader = new DuckDb(lineItem, directory.resolve("parquet.duckdb"));
      reader.createView(file);
      trials.put(Contender.PARQUET, opened(DuckDbQueries.ofView(reader)));
    }
  }

  private void load(Contender contender, QueryTrial trial) throws Exception {
    progress.accept("loading " + contender.title());
    Loaded loaded = trial.load(settings.scale());
    double seconds = loaded.nanos() / NANOS_PER_SECOND;
    progress.accept("    %,d rows in %.1f s".formatted(loaded.rows(), seconds));
    measurements.add(contender, Table3Figure.LOAD, seconds);
    trials.put(contender, trial);
    if (keys.size() == 0) {
      keys = sampleOf(loaded.sample());
    }
  }

  /** The keys to look up, drawn from the sample. */
  private KeySample sampleOf(KeySample sample) {
    KeySample keys = new KeySample(settings.lookUps(), 7);
    for (int i = 0; i < sample.size(); i++) {
      keys.offer(sample.orderKey(i), sample.lineNumber(i));
    }
    keys.shuffle();
    return keys;
  }

  private void recordBytes(Contender contender, double bytes) {
    if (!Double.isNaN(bytes)) {
      measurements.add(contender, Table3Figure.SIZE, bytes / MEGABYTE);
    }
  }

  /** The loaded contenders, in order. */
  Map<Contender, QueryTrial> trials() {
    return Collections.unmodifiableMap(trials);
  }

  /** Keys of loaded rows, in random order. */
  KeySample keys() {
    return keys;
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Closes all contenders; their servers end. */
  @Override
  public void close() throws Exception {
    Exception first = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
