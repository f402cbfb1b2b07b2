package dev.kudu4j.benchmarks.workload;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.Locale;

/** The measured figures of servers, in the order of the table. */
public enum ServerFigure implements Figure {
  LOAD_ROWS("load", "rows/s", true),
  LOAD_CPU("load, server CPU until the last answer", "µs/row", false),
  LOAD_CLIENT_CPU("load, client CPU, rows generated too", "µs/row", false),
  LOAD_FLUSH_CPU("load, server CPU until flushed and idle", "µs/row", false),
  SIZE("size on disk, flushed and compacted, as the server tells it", "MB", false),
  SIZE_FILES("size on disk, flushed and compacted, of all data files (du)", "MB", false),
  SCAN_COLUMNAR_ROWS("scan of 6 columns, columnar", "rows/s", true),
  SCAN_COLUMNAR_CPU("scan of 6 columns, columnar, server CPU", "µs/row", false),
  SCAN_COLUMNAR_CLIENT_CPU("scan of 6 columns, columnar, client CPU", "µs/row", false),
  SCAN_ROWWISE_ROWS("scan of 6 columns, rowwise", "rows/s", true),
  SCAN_ROWWISE_CPU("scan of 6 columns, rowwise, server CPU", "µs/row", false),
  SCAN_ROWWISE_CLIENT_CPU("scan of 6 columns, rowwise, client CPU", "µs/row", false),
  LOOKUP_P50("row by key, p50", "ms", false),
  LOOKUP_P99("row by key, p99", "ms", false),
  LOOKUP_CPU("row by key, server CPU", "ms/row", false),
  INSERT_P50("single-row insert, p50", "ms", false),
  INSERT_P99("single-row insert, p99", "ms", false),
  INSERT_CPU("single-row insert, server CPU", "ms/row", false),
  INSERT_1("single-row inserts into one tablet, 1 writer", "rows/s", true),
  INSERT_16("single-row inserts into one tablet, 16 writers", "rows/s", true),
  INSERT_16_CPU("single-row inserts into one tablet, 16 writers, server CPU", "ms/row", false),
  INSERT_64("single-row inserts into one tablet, 64 writers", "rows/s", true),
  INSERT_64_CPU("single-row inserts into one tablet, 64 writers, server CPU", "ms/row", false),
  CREATE_TABLE_P50("create table of one tablet, p50", "ms", false),
  CREATE_TABLE_MAX("create table of one tablet, slowest", "ms", false),
  MASTER_START("master, start to first GetStatus", "ms", false),
  TABLET_SERVER_START("tablet server, start to first GetStatus", "ms", false);

  private final String title;
  private final String unit;
  private final boolean moreIsBetter;

  ServerFigure(String title, String unit, boolean moreIsBetter) {
    this.title = title;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  @Override
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String unit() {
    return unit;
  }

  @Override
  public boolean moreIsBetter() {
    return moreIsBetter;
  }
}
