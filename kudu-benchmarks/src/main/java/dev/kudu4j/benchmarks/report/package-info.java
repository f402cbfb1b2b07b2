/**
 * Numbers become a table and a file. Start with {@link dev.kudu4j.benchmarks.report.Measurements}.
 *
 * <p>This package does not know how the numbers came about.
 */
package dev.kudu4j.benchmarks.report;
