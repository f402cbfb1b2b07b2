/**
 * The Spark of {@code bench changes}, in a process and with a class path of its own. {@link
 * dev.kudu4j.benchmarks.changes.spark.ChangesWorker} is its main class; the command that starts it
 * is in {@code dev.kudu4j.benchmarks.changes}, in kudu-benchmarks.
 */
package dev.kudu4j.benchmarks.changes.spark;
