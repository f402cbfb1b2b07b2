/**
 * What {@code CALL k.system.analyze} has found out about tables, for Spark's optimizer: {@link
 * dev.kudu4j.spark.statistics.AnalyzedTables}. Kudu has no place for such statistics, so they exist
 * in a catalog of a session.
 */
package dev.kudu4j.spark.statistics;
