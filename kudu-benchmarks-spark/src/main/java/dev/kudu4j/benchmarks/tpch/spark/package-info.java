/**
 * The Spark of {@code bench tpch}, in a process and with a class path of its own. {@link
 * dev.kudu4j.benchmarks.tpch.spark.TpchWorker} is its main class; the command that starts it is in
 * {@code dev.kudu4j.benchmarks.tpch}, in kudu-benchmarks.
 */
package dev.kudu4j.benchmarks.tpch.spark;
