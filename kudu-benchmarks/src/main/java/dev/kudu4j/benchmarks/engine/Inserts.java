package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.benchmarks.options.Directories;
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
 * Fills two new tablets with the same rows, one in key order and one in random order. Each tablet
 * is flushed ten times, and maintenance runs after each flush. The time of maintenance is reported
 * separately, since a server runs it in other threads.
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
    fill(engines.directory().resolve("warm-up"), shuffled(sorted));
    Filled inOrder = fill(engines.directory().resolve("sorted"), sorted);
    Filled atRandom = fill(engines.directory().resolve("random"), random);
    add("random-order insert", rows / atRandom.seconds(), rows / inOrder.seconds(), 0.5, report);
    add(
        "random-order insert, compactions counted in",
        rows / (atRandom.seconds() + atRandom.compactionSeconds()),
        rows / (inOrder.seconds() + inOrder.compactionSeconds()),
        Double.NaN,
        report);
    report.add(
        new Line(
            "average height after random insert and compactions",
            "rowsets",
            atRandom.height(),
            inOrder.height(),
            "sorted insert",
            Goal.BELOW,
            3));
    report.add(Line.withoutBaseline("most before a compaction", "rowsets", atRandom.maxHeight()));
    report.add(Line.withoutBaseline("compactions of random insert", "tasks", atRandom.tasks()));
  }

  private static void add(
      String name, double ours, double theirs, double limit, EngineReport report) {
    Goal goal = Double.isNaN(limit) ? Goal.NONE : Goal.RATIO_AT_LEAST;
    report.add(new Line(name, "rows/s", ours, theirs, "sorted insert", goal, limit));
  }

  /**
   * @param seconds time of inserts and flushes
   * @param height average number of rowsets whose key range contains a random key, at the end
   * @param maxHeight the highest such average after a flush
   */
  private record Filled(
      double seconds, double compactionSeconds, int tasks, double height, double maxHeight) {}

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

  private Filled fill(Path directory, int[] keys) throws IOException {
    Directories.delete(directory);
    try (OurEngine engine = new OurEngine(SCHEMA, directory)) {
      engine.create();
      long nanos = 0;
      long compactionNanos = 0;
      int tasks = 0;
      double maxHeight = 0;
      for (int part = 0; part < FLUSHES; part++) {
        long start = System.nanoTime();
        insert(engine, keys, part);
        engine.flush();
        long flushed = System.nanoTime();
        nanos += flushed - start;
        maxHeight = Math.max(maxHeight, engine.tablet().statistics().averageHeight());
        tasks += engine.maintain();
        compactionNanos += System.nanoTime() - flushed;
      }
      checkRows(engine);
      return new Filled(
          nanos / NANOS_PER_SECOND,
          compactionNanos / NANOS_PER_SECOND,
          tasks,
          engine.tablet().statistics().averageHeight(),
          maxHeight);
    }
  }

  /** Inserts one of the {@link #FLUSHES} parts of the keys. */
  private static void insert(OurEngine engine, int[] keys, int part) throws IOException {
    int end = (int) ((long) keys.length * (part + 1) / FLUSHES);
    for (int i = (int) ((long) keys.length * part / FLUSHES); i < end; i++) {
      insert(engine, keys[i]);
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
}
