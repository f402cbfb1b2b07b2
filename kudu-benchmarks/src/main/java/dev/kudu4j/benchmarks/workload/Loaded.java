package dev.kudu4j.benchmarks.workload;

/**
 * The rows that a load has sent, which a scan must find.
 *
 * @param rows number of rows
 * @param quantity the sum of {@code l_quantity}; exact in a double, since all quantities are whole
 *     numbers
 * @param sample keys of some of the rows
 * @param nanos time from the first row to the last acknowledgement
 */
public record Loaded(long rows, double quantity, KeySample sample, long nanos) {}
