package dev.kudu4j.benchmarks.workload;

/**
 * What a load sent, which is what a scan has to find.
 *
 * @param rows how many
 * @param quantity the sum of {@code l_quantity}; whole numbers, so exact in a double
 * @param sample keys of some of the rows
 * @param nanos time from the first row to the last acknowledgement
 */
public record Loaded(long rows, double quantity, KeySample sample, long nanos) {}
