package dev.kudu4j.benchmarks.selection;

/**
 * What the answers to a selection have in common, whatever the order of the rows.
 *
 * @param rows number of the rows
 * @param sum the sum of the numbers in the first column of all rows, of texts their lengths; 0 if
 *     rows are counted
 */
public record Answer(long rows, long sum) {}
