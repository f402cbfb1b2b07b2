package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.Amounts;
import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.common.row.OperationType;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Loads both engines with the same rows, then runs the measurements one after another. */
final class EngineBenchmark {
  private static final int SAMPLED_KEYS = 20_000;
  private static final int UPDATED_KEYS = 600_000; // at scale 1
  private static final int PROGRESS_ROWS = 1_000_000;
  private static final String LOADED = "loaded";

  private final LineItemTable table;
  private final double scale;
  private final Path directory;
  private final String only;
  private final Consumer<String> progress;

  /**
   * @param directory directory of the data, which is reused if an earlier run has loaded it
   * @param only text; only measurements whose title contains it are run
   * @param progress receives a description of each step
   */
  EngineBenchmark(
      Amounts amounts, double scale, Path directory, String only, Consumer<String> progress) {
    this.table = new LineItemTable(amounts);
    this.scale = scale;
    this.directory = directory;
    this.only = only;
    this.progress = progress;
  }

  EngineReport run() throws Exception {
    Files.createDirectories(directory);
    EngineReport report = new EngineReport(progress);
    try (OurEngine ours = new OurEngine(table.schema(), directory.resolve("tablet"));
        DuckDb duckDb = new DuckDb(table, directory.resolve("lineitem.duckdb"))) {
      Engines engines = load(ours, duckDb);
      for (Measurement measurement : measurements()) {
        progress.accept(measurement.title());
        measurement.run(engines, report);
      }
    }
    return report;
  }

  private List<Measurement> measurements() {
    List<Measurement> measurements = new ArrayList<>();
    measurements.add(new Sizes());
    measurements.addAll(new Queries(table).all());
    measurements.add(new PointLookups(table));
    measurements.add(new Updates(table));
    measurements.add(new Inserts(scale));
    measurements.removeIf(measurement -> !measurement.title().contains(only));
    return measurements;
  }

  private Engines load(OurEngine ours, DuckDb duckDb) throws Exception {
    boolean loaded = Files.exists(directory.resolve(LOADED));
    if (!loaded) {
      ours.create();
      duckDb.create();
    }
    KeySample sample = new KeySample(SAMPLED_KEYS, 7);
    KeySample updated = new KeySample(Math.max(1, (int) (scale * UPDATED_KEYS)), 8);
    long rows = 0;
    for (LineItem line : new LineItemGenerator(scale, 1, 1)) {
      sample.offer(line.getOrderKey(), line.getLineNumber());
      updated.offer(line.getOrderKey(), line.getLineNumber());
      if (!loaded) {
        table.fill(ours.begin(OperationType.INSERT), line);
        ours.end();
        duckDb.insert(line);
      }
      if (++rows % PROGRESS_ROWS == 0 && !loaded) {
        progress.accept("loaded " + rows + " rows");
      }
    }
    sample.shuffle();
    updated.shuffle();
    if (loaded) {
      ours.open();
    } else {
      progress.accept("writing to disk");
      ours.reopen();
      duckDb.finishLoad();
      Files.createFile(directory.resolve(LOADED));
    }
    return new Engines(table, ours, duckDb, sample, updated, rows, directory);
  }
}
