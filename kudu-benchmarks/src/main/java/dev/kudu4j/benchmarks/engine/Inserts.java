package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Fills two new tablets with the same rows, one in the order of the keys and one in random order,
 * each flushed ten times on the way; then lets the maintenance put the second in order.
 */
final class Inserts implements Measurement {
  private static final int FULL_SCALE_ROWS = 5_000_000;
  private static final int FLUSHES = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("id", DataType.INT64).key(true).id(0).build(),
              ColumnSchema.builder("visits", DataType.INT32).id(1).build(),
              ColumnSchema.builder("score", DataType.DOUBLE).id(2).build(),
              ColumnSchema.builder("name", DataType.STRING).id(3).build()));

  private final int rows;

  Inserts(double scale) {
    rows = Math.max(1000, (int) (scale * FULL_SCALE_ROWS));
  }

  @Override
  public String title() {
    return "insert of %,d rows, sorted and random".formatted(rows);
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    int[] sorted = new int[rows];
    for (int i = 0; i < rows; i++) {
      sorted[i] = i;
    }
    int[] random = shuffled(sorted);
    fill(engines.directory().resolve("warm-up"), shuffled(sorted), null);
    double inOrder = fill(engines.directory().resolve("sorted"), sorted, null);
    double atRandom = fill(engines.directory().resolve("random"), random, report);
    report.add(
        new Line(
            "random-order insert",
            "rows/s",
            rows / atRandom,
            rows / inOrder,
            "sorted insert",
            Goal.RATIO_AT_LEAST,
            0.5));
  }

  private static int[] shuffled(int[] keys) {
    int[] shuffled = keys.clone();
    Random random = new Random(11);
    for (int i = shuffled.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int key = shuffled[i];
      shuffled[i] = shuffled[other];
      shuffled[other] = key;
    }
    return shuffled;
  }

  /**
   * @param report of the heights; null for none
   * @return the seconds that inserts and flushes took
   */
  private double fill(Path directory, int[] keys, EngineReport report) throws IOException {
    try (OurEngine engine = new OurEngine(SCHEMA, directory)) {
      engine.create();
      long start = System.nanoTime();
      for (int i = 0; i < keys.length; i++) {
        insert(engine, keys[i]);
        if ((i + 1) % ((keys.length + FLUSHES - 1) / FLUSHES) == 0) {
          engine.flush();
        }
      }
      engine.flush();
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      checkRows(engine);
      if (report != null) {
        compact(engine, report);
      }
      return seconds;
    }
  }

  private static void insert(OurEngine engine, int key) throws IOException {
    RowOperationsWriter row = engine.begin(OperationType.INSERT);
    row.setLong(0, key);
    row.setInt(1, key % 1000);
    row.setDouble(2, key * 0.37);
    row.setString(3, "customer " + key);
    engine.end();
  }

  private void checkRows(OurEngine engine) {
    long found = engine.tablet().statistics().liveRows();
    if (found != rows) {
      throw new IllegalStateException("Expected %d rows, found %d".formatted(rows, found));
    }
  }

  private void compact(OurEngine engine, EngineReport report) throws IOException {
    double before = engine.tablet().statistics().averageHeight();
    long start = System.nanoTime();
    int tasks = engine.maintain();
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    checkRows(engine);
    double after = engine.tablet().statistics().averageHeight();
    report.add(
        new Line(
            "average height after random insert and compaction",
            "rowsets",
            after,
            before,
            "before compaction",
            Goal.BELOW,
            3));
    report.add(Line.told("compaction, %d tasks".formatted(tasks), "s", seconds));
  }
}
