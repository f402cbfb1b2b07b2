/**
 * The storage engine alone, in this process and on one thread, compared with DuckDB on the same
 * rows.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.engine.EngineBenchmark}; a measurement is a subclass
 * of {@link dev.kudu4j.benchmarks.engine.Measurement}. Both sides read files in the page cache of
 * the operating system, and nothing that they decoded before. Results are compared before times.
 */
package dev.kudu4j.benchmarks.engine;
