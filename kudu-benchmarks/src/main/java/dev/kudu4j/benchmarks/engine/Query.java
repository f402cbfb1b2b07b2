package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.Answers;
import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A query that aggregates, for DuckDB and for Kudu4j's engine.
 *
 * @param sql the query for DuckDB; it must return the groups in the order in which the engine does
 * @param goal kind of the goal for the engine's time
 */
record Query(
    String title,
    String sql,
    List<ColumnPredicate> predicates,
    Aggregation aggregates,
    Goal goal,
    double limit)
    implements Measurement {
  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    Tablet tablet = engines.ours().tablet();
    try (PreparedStatement statement = engines.duckDb().prepare(sql)) {
      check(tablet, engines.duckDb());
      Timing.Pair times = Timing.inTurn(() -> answer(tablet), () -> DuckDb.rows(statement));
      report.add(new Line(title, "ms", times.ours(), times.theirs(), "DuckDB", goal, limit));
    }
  }

  List<AggregateRow> answer(Tablet tablet) throws IOException {
    ScanSpec scan =
        new ScanSpec(
            aggregates.columns(),
            predicates,
            tablet.latestSnapshot(),
            -1,
            null,
            null,
            null,
            false,
            false,
            Long.MAX_VALUE);
    return tablet.aggregate(scan, aggregates);
  }

  /** The same query with different SQL for DuckDB. */
  Query withSql(String other) {
    return new Query(title, other, predicates, aggregates, goal, limit);
  }

  /**
   * Runs the query in both engines.
   *
   * @throws IllegalStateException if the results differ
   */
  void check(Tablet tablet, DuckDb duckDb) throws IOException, SQLException {
    check(answer(tablet), duckDb.query(sql));
  }

  private void check(List<AggregateRow> ours, List<List<String>> theirs) {
    List<List<String>> found = ours.stream().map(Query::texts).toList();
    if (!Answers.areSame(found, theirs)) {
      throw new IllegalStateException(
          title + ": Kudu4j's result is " + found + ", DuckDB's is " + theirs);
    }
  }

  private static List<String> texts(AggregateRow row) {
    List<String> texts = new ArrayList<>();
    for (byte[] cell : row.group()) {
      texts.add(new String(cell, StandardCharsets.UTF_8));
    }
    row.values().forEach(value -> texts.add(value.toString()));
    return texts;
  }
}
