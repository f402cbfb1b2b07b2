/**
 * The storage engine alone, in this process and on one thread, compared with DuckDB on the same
 * rows.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.engine.EngineBenchmark}; each measurement implements
 * {@link dev.kudu4j.benchmarks.engine.Measurement}. Both engines read files from the operating
 * system's page cache, and neither keeps decoded data. Before times are measured, the results of
 * both engines are compared.
 */
package dev.kudu4j.benchmarks.engine;
