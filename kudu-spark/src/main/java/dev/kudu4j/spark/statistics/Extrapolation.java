package dev.kudu4j.spark.statistics;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.spark.type.InternalRows;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Adapts the statistics of a column to a table that has changed since its analysis, as PostgreSQL
 * does: the share of NULLs stays, and a column whose values were distinct in more than a tenth of
 * the rows is taken to get new ones with new rows; other columns keep their values.
 *
 * <p>A minimum and a maximum cannot be adapted, and Spark takes no row to be outside them. So they
 * are dropped once the number of rows has changed by more than {@link #MAX_GROWTH}. Beyond {@link
 * #MAX_TRUSTED} all statistics are dropped.
 */
public final class Extrapolation {
  private static final double MAX_GROWTH = 2;
  private static final double MAX_TRUSTED = 10;

  /** Above this share of the rows, the number of distinct values grows with the table. */
  private static final double GROWING = 0.1;

  private Extrapolation() {}

  /**
   * The statistics of a column for the current number of rows; empty if the table has changed too
   * much.
   *
   * @param rows live rows; 0 if that is unknown, which changes nothing
   */
  public static Optional<ColumnAnalysis> of(
      ColumnSchema column, KuduColumnStatistics then, long rows) {
    double growth = rows == 0 ? 1 : (double) rows / Math.max(1, then.rowCount());
    if (growth > MAX_TRUSTED || growth < 1 / MAX_TRUSTED) {
      return Optional.empty();
    }
    boolean bounded = growth <= MAX_GROWTH && growth >= 1 / MAX_GROWTH;
    return Optional.of(
        new ColumnAnalysis(
            OptionalLong.of(distinct(then, growth)),
            OptionalLong.of(Math.round(then.nullCount() * growth)),
            bounded ? internal(column, then.min()) : Optional.empty(),
            bounded ? internal(column, then.max()) : Optional.empty(),
            then.averageLength(),
            then.maxLength()));
  }

  private static long distinct(KuduColumnStatistics then, double growth) {
    long distinct = then.distinctCount();
    boolean growing = distinct > GROWING * then.rowCount();
    double values = (then.rowCount() - then.nullCount()) * growth;
    long now = growing ? Math.round(distinct * growth) : distinct;
    return growth == 1 ? now : Math.min(now, Math.round(values));
  }

  private static Optional<Object> internal(ColumnSchema column, Optional<Object> value) {
    return value.map(known -> InternalRows.value(column, known));
  }
}
