/**
 * The storage engine alone, in this process and on one thread, beside DuckDB on the same rows.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.engine.EngineBenchmark}; a measurement is a class
 * below {@link dev.kudu4j.benchmarks.engine.Measurement}. Both sides read files that the page cache
 * of the operating system holds, and nothing that they decoded before. Answers are compared before
 * times are.
 */
package dev.kudu4j.benchmarks.engine;
