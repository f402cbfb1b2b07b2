package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;

/** What the table takes on disk. */
final class Sizes implements Measurement {
  private static final double MEGABYTE = 1e6;

  @Override
  public String title() {
    return "size on disk";
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    double ours = engines.ours().tablet().statistics().onDiskBytes() / MEGABYTE;
    double parquet =
        engines.duckDb().parquetBytes(engines.directory().resolve("lineitem.parquet")) / MEGABYTE;
    report.add(new Line("size", "MB", ours, parquet, "Parquet, Snappy", Goal.RATIO_AT_MOST, 0.9));
    report.add(
        new Line(
            "size beside DuckDB's",
            "MB",
            ours,
            engines.duckDb().fileBytes() / MEGABYTE,
            "DuckDB",
            Goal.NONE,
            0));
  }
}
