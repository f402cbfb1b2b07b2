/**
 * Writes reports: tables on the terminal, a JSON file, and a page with charts.
 *
 * <pre>
 *   Measurements -> ComparisonTable -+    of several sides with one baseline
 *                   BaselinesTable --+    of one subject with several baselines
 *   other numbers of a command ------+-> Table, Chart -> Report -> terminal, JSON, page
 * </pre>
 *
 * <p>A command fills a {@link dev.kudu4j.benchmarks.report.Report}; {@code OutputOptions} prints
 * it. This package does not depend on what is measured.
 */
package dev.kudu4j.benchmarks.report;
