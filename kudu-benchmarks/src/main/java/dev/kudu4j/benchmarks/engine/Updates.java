package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.benchmarks.options.Directories;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Updates a tenth of the rows in a copy of the tablet, in random order. Measures TPC-H's query 1 on
 * the copy, with deltas in files and after compactions, compared with the original tablet. Each
 * result is compared with DuckDB's.
 */
final class Updates implements Measurement {
  private static final int TAX_PERCENT = 9;

  /** {@code lineitem} after the updates. */
  private static final String UPDATED =
      """
      FROM (SELECT * EXCLUDE (l_tax, o, n),
      CASE WHEN o IS NULL THEN l_tax ELSE 0.09 END AS l_tax
      FROM lineitem LEFT JOIN updated ON l_orderkey = o AND l_linenumber = n)\
      """;

  private final Query query;
  private final LineItemTable table;

  Updates(LineItemTable table) {
    this.table = table;
    Query one = new Queries(table).one();
    this.query = one.withSql(one.sql().replace("FROM lineitem", UPDATED));
  }

  @Override
  public String title() {
    return "updates of a tenth of the rows";
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    Path directory = engines.directory().resolve("updated");
    Directories.delete(directory);
    KeySample keys = engines.updated();
    engines.duckDb().createKeys("updated", keys);
    try (OurEngine engine = engines.ours().copy(directory)) {
      update(engine, keys);
      measure("Q1 after updates and flush", 1.3, engine, engines, report);
      engine.maintain();
      measure("Q1 after delta compaction", 1.05, engine, engines, report);
      engine.tablet().maintenance().compactFully(0);
      measure("Q1 after full compaction", 1.05, engine, engines, report);
    } finally {
      Directories.delete(directory);
    }
  }

  private void update(OurEngine engine, KeySample keys) throws IOException {
    for (int i = 0; i < keys.size(); i++) {
      RowOperationsWriter row = engine.begin(OperationType.UPDATE);
      row.setLong(LineItemTable.ORDER_KEY, keys.orderKey(i));
      row.setInt(LineItemTable.LINE_NUMBER, keys.lineNumber(i));
      table.fillAmount(row, LineItemTable.TAX, TAX_PERCENT);
      engine.end();
    }
    engine.flush();
  }

  private void measure(
      String name, double limit, OurEngine engine, Engines engines, EngineReport report)
      throws Exception {
    query.check(engine.tablet(), engines.duckDb());
    Timing.Pair times =
        Timing.inTurn(
            () -> query.answer(engine.tablet()), () -> query.answer(engines.ours().tablet()));
    report.add(
        new Line(name, "ms", times.ours(), times.theirs(), "before", Goal.RATIO_AT_MOST, limit));
  }
}
