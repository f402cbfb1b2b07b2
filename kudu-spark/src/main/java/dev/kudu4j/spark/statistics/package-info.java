/**
 * The results of {@code CALL k.system.analyze}, for Spark's optimizer: {@link
 * dev.kudu4j.spark.statistics.AnalyzedTables} keeps it, and {@link
 * dev.kudu4j.spark.statistics.Extrapolation} adapts it to the current size of a table.
 */
package dev.kudu4j.spark.statistics;
