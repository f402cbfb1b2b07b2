/**
 * The storage engine alone, in this process and on one thread, compared with DuckDB on the same
 * rows.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.engine.EngineBenchmark}; each measurement implements
 * {@link dev.kudu4j.benchmarks.engine.Measurement}. While times are measured, the data of both
 * engines is in memory, but not decoded. Before that, the results of both engines are compared.
 */
package dev.kudu4j.benchmarks.engine;
