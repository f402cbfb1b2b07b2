package dev.kudu4j.client;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Statistics of one column for query optimizers, as an analysis of the table computed them. They
 * are not updated when rows change: compare {@code rowCount} with the current number of rows.
 *
 * @param analyzedAt when the column was read; the master keeps microseconds
 * @param rowCount rows of the table at that time
 * @param nullCount rows in which the column is NULL
 * @param distinctCount estimated number of distinct values, NULL not among them
 * @param min least value, as {@code RowResult.getObject} returns it; empty if the column has no
 *     values, and for STRING, VARCHAR and BINARY
 * @param max greatest value, as {@code min}
 * @param averageLength bytes of a value of STRING, VARCHAR or BINARY; empty for other types
 * @param maxLength as {@code averageLength}
 */
public record KuduColumnStatistics(
    Instant analyzedAt,
    long rowCount,
    long nullCount,
    long distinctCount,
    Optional<Object> min,
    Optional<Object> max,
    OptionalLong averageLength,
    OptionalLong maxLength) {
  public KuduColumnStatistics {
    Objects.requireNonNull(analyzedAt, "Statistics need the time of the analysis");
    if (rowCount < 0 || nullCount < 0 || nullCount > rowCount || distinctCount < 0) {
      throw new IllegalArgumentException(
          "Statistics are invalid: rowCount "
              + rowCount
              + ", nullCount "
              + nullCount
              + ", distinctCount "
              + distinctCount);
    }
  }
}
