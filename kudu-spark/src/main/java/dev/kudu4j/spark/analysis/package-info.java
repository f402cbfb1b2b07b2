/**
 * A rule for Spark's analyzer: {@link dev.kudu4j.spark.analysis.OwnOptions}. This is the only
 * package that uses Spark's internal classes; those that it uses exist in all supported versions of
 * Spark.
 */
package dev.kudu4j.spark.analysis;
