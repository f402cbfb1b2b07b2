package dev.kudu4j.spark.statistics;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;

/**
 * The statistics of one column.
 *
 * @param distinctCount approximate number of distinct values
 * @param min in Spark's internal form; empty for text and binary columns, whose extremes Spark does
 *     not use, and if there is no value
 * @param max as {@code min}
 * @param avgLen bytes of text and binary columns; empty for others
 * @param maxLen as {@code avgLen}
 */
public record ColumnAnalysis(
    OptionalLong distinctCount,
    OptionalLong nullCount,
    Optional<Object> min,
    Optional<Object> max,
    OptionalLong avgLen,
    OptionalLong maxLen)
    implements ColumnStatistics {}
