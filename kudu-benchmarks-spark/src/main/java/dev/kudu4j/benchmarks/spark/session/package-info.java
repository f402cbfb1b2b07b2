/** The Spark session that the benchmarks on Spark have in common. */
package dev.kudu4j.benchmarks.spark.session;
