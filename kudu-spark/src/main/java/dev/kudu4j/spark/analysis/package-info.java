/**
 * A rule for Spark's analyzer, {@link dev.kudu4j.spark.analysis.OwnOptions}, one for its optimizer,
 * {@link dev.kudu4j.spark.analysis.MergeKeys}, and the parser of the session, {@link
 * dev.kudu4j.spark.analysis.StatementParser}. This is the only package that uses Spark's internal
 * classes; those that it uses exist in all supported Spark versions.
 */
package dev.kudu4j.spark.analysis;
