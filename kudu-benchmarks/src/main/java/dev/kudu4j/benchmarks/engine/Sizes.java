package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The size of the table on disk, and of each of its columns. */
final class Sizes implements Measurement {
  private static final double MEGABYTE = 1e6;

  @Override
  public String title() {
    return "size on disk";
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    Path file = engines.directory().resolve("lineitem.parquet");
    double ours = engines.ours().tablet().statistics().onDiskBytes() / MEGABYTE;
    double parquet = engines.duckDb().writeParquet(file) / MEGABYTE;
    double duckDb = engines.duckDb().fileBytes() / MEGABYTE;
    report.add(new Line("size", "MB", ours, parquet, "Parquet, Snappy", Goal.RATIO_AT_MOST, 0.9));
    report.add(new Line("size compared with DuckDB's", "MB", ours, duckDb, "DuckDB", Goal.NONE, 0));
    Map<String, Long> oursByColumn = columnBytes(engines.ours());
    Map<String, Long> theirsByColumn = engines.duckDb().parquetColumnBytes(file);
    for (ColumnSchema column : engines.ours().schema().columns()) {
      report.add(
          new Line(
              "size of " + column.name(),
              "MB",
              oursByColumn.get(column.name()) / MEGABYTE,
              theirsByColumn.get(column.name()) / MEGABYTE,
              "Parquet, Snappy",
              Goal.NONE,
              0));
    }
    long pages = oursByColumn.values().stream().mapToLong(Long::longValue).sum();
    report.add(
        Line.withoutBaseline(
            "size of key index, Bloom filters, footers", "MB", ours - pages / MEGABYTE));
  }

  private static Map<String, Long> columnBytes(OurEngine engine) {
    Map<String, Long> bytes = new TreeMap<>();
    Components parts = engine.tablet().pinComponents();
    try {
      for (DiskRowSet rowSet : parts.rowSets()) {
        for (ColumnIndex column : rowSet.base().footer().columns()) {
          bytes.merge(column.column().name(), pageBytes(column), Long::sum);
        }
      }
    } finally {
      parts.unpin();
    }
    return bytes;
  }

  private static long pageBytes(ColumnIndex column) {
    long bytes = 0;
    for (int page = 0; page < column.pageCount(); page++) {
      bytes += column.location(page).bytes();
    }
    return bytes;
  }
}
