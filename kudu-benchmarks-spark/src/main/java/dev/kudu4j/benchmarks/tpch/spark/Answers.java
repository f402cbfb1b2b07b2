package dev.kudu4j.benchmarks.tpch.spark;

import dev.kudu4j.benchmarks.tpch.Storage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;

/**
 * The answers of the queries so far. All runs of a query must have the same answer, whatever stores
 * the tables. The order of rows is not compared, since some queries leave it open among equal rows.
 */
final class Answers {
  private record Answer(Storage storage, List<String> rows) {}

  private final Map<Integer, Answer> first = new HashMap<>();

  /**
   * Compares an answer with the first one of the same query.
   *
   * @throws IllegalStateException if they differ
   */
  void check(Storage storage, int query, List<Row> rows) {
    Answer answer = new Answer(storage, rows.stream().map(Row::toString).sorted().toList());
    Answer expected = first.putIfAbsent(query, answer);
    if (expected != null && !expected.rows.equals(answer.rows)) {
      throw new IllegalStateException(difference(query, expected, answer));
    }
  }

  private static String difference(int query, Answer expected, Answer answer) {
    int row = 0;
    while (row < Math.min(expected.rows.size(), answer.rows.size())
        && expected.rows.get(row).equals(answer.rows.get(row))) {
      row++;
    }
    return "The answers of query %d differ: %s has %s, %s has %s"
        .formatted(
            query,
            expected.storage.title(),
            describe(expected, row),
            answer.storage.title(),
            describe(answer, row));
  }

  private static String describe(Answer answer, int row) {
    return "%d rows, in order the %d. is %s"
        .formatted(
            answer.rows.size(),
            row + 1,
            row < answer.rows.size() ? answer.rows.get(row) : "absent");
  }
}
