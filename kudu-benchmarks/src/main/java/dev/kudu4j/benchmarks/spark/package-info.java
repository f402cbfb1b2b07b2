/**
 * Spark in a process and with a class path of its own, for the benchmarks that run SQL. {@link
 * dev.kudu4j.benchmarks.spark.SparkOptions} starts it; {@link
 * dev.kudu4j.benchmarks.spark.WorkerSettings} is on both class paths and needs only the JDK. The
 * session is opened in {@code dev.kudu4j.benchmarks.spark.session}, in kudu-benchmarks-spark.
 */
package dev.kudu4j.benchmarks.spark;
