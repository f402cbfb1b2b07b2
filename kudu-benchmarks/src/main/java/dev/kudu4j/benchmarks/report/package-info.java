/**
 * From numbers to a table, a JSON file and a page with charts.
 *
 * <pre>
 *   Measurements -> ComparisonTable -+
 *   other numbers of a command ------+-> Table, Chart -> Report -> terminal, JSON, page
 * </pre>
 *
 * <p>A command fills a {@link dev.kudu4j.benchmarks.report.Report}; {@code OutputOptions} shows it.
 * This package does not know how the numbers came about.
 */
package dev.kudu4j.benchmarks.report;
