package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Reads single rows by key, one after another, each with a separate scan. */
final class PointLookups implements Measurement {
  private static final int WARM_UP = 40_000;
  private static final long BATCH_BYTES = 1 << 20;
  private static final int DUCK_DB_KEYS = 500;
  private static final double NANOS_PER_MICRO = 1e3;

  private final LineItemTable table;

  PointLookups(LineItemTable table) {
    this.table = table;
  }

  @Override
  public String title() {
    return "rows by key";
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    measure("row by key, 16 columns", table.schema(), "*", 20, 60, engines, report);
    Schema key = table.columns(LineItemTable.ORDER_KEY, LineItemTable.LINE_NUMBER);
    measure("row by key, key only", key, "l_orderkey", 5, Double.NaN, engines, report);
  }

  private static void measure(
      String name,
      Schema columns,
      String sqlColumns,
      double p50,
      double p99,
      Engines engines,
      EngineReport report)
      throws IOException, SQLException {
    KeySample sample = engines.sample();
    long[] nanos = new long[sample.size()];
    try (ColumnBatch batch = new ColumnBatch(engines.ours().allocator(), columns)) {
      for (int i = -WARM_UP; i < nanos.length; i++) {
        int key = Math.floorMod(i, nanos.length);
        long start = System.nanoTime();
        lookUp(engines.ours(), sample, key, columns, batch);
        if (i >= 0) {
          nanos[i] = System.nanoTime() - start;
        }
        check(sample, key, batch);
      }
    }
    long[] theirs = duckDbNanos(engines, sqlColumns);
    addLine(name + ", p50", 50, nanos, theirs, p50, report);
    addLine(name + ", p99", 99, nanos, theirs, p99, report);
  }

  /**
   * Durations of DuckDB's lookups. Its table has no index; DuckDB uses minima and maxima to skip
   * row groups.
   */
  private static long[] duckDbNanos(Engines engines, String columns) throws SQLException {
    KeySample sample = engines.sample();
    String sql = "SELECT %s FROM lineitem WHERE l_orderkey = ? AND l_linenumber = ?";
    long[] nanos = new long[Math.min(DUCK_DB_KEYS, sample.size())];
    try (PreparedStatement statement = engines.duckDb().prepare(sql.formatted(columns))) {
      for (int key = 0; key < nanos.length; key++) {
        long start = System.nanoTime();
        statement.setLong(1, sample.orderKey(key));
        statement.setInt(2, sample.lineNumber(key));
        int found = DuckDb.rows(statement).size();
        nanos[key] = System.nanoTime() - start;
        if (found != 1) {
          throw new IllegalStateException("DuckDB found %d rows of one key".formatted(found));
        }
      }
    }
    return nanos;
  }

  private static void addLine(
      String name, int percent, long[] ours, long[] theirs, double limit, EngineReport report) {
    report.add(
        new Line(
            name,
            "µs",
            Samples.percentile(ours, percent) / NANOS_PER_MICRO,
            Samples.percentile(theirs, percent) / NANOS_PER_MICRO,
            "DuckDB",
            Double.isNaN(limit) ? Goal.NONE : Goal.AT_MOST,
            limit));
  }

  private static void lookUp(
      OurEngine engine, KeySample sample, int key, Schema columns, ColumnBatch out)
      throws IOException {
    Schema schema = engine.schema();
    byte[] order = new byte[8];
    LittleEndian.putLong(order, 0, sample.orderKey(key));
    byte[] line = new byte[4];
    LittleEndian.putInt(line, 0, sample.lineNumber(key));
    List<ColumnPredicate> predicates =
        List.of(
            new ColumnPredicate.Equality(schema.column(LineItemTable.ORDER_KEY), order),
            new ColumnPredicate.Equality(schema.column(LineItemTable.LINE_NUMBER), line));
    ScanSpec spec =
        new ScanSpec(
            columns,
            predicates,
            engine.tablet().latestSnapshot(),
            -1,
            null,
            null,
            null,
            false,
            false,
            Long.MAX_VALUE);
    out.clear();
    try (TabletScanner scanner = engine.tablet().scan(spec)) {
      while (scanner.next(out, BATCH_BYTES)) {
        // until no batch is left
      }
    }
  }

  private static void check(KeySample sample, int key, ColumnBatch found) {
    long orderKey = found.rowCount() == 1 ? Memory.getLong(found.column(0).cellAddress(0)) : -1;
    if (orderKey != sample.orderKey(key)) {
      throw new IllegalStateException(
          "Order %d: expected one row, found %d".formatted(sample.orderKey(key), found.rowCount()));
    }
  }
}
