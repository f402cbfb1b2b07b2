/**
 * DuckDB, the baseline of the engine's and of whole tables' figures: {@code lineitem} in its own
 * file or as Parquet, on one thread of this process.
 */
package dev.kudu4j.benchmarks.baseline;
