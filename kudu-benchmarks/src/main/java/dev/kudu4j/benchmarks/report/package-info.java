/**
 * Formats the numbers as a table and a file. Start with {@link
 * dev.kudu4j.benchmarks.report.Measurements}.
 *
 * <p>This package does not depend on the measurements themselves.
 */
package dev.kudu4j.benchmarks.report;
