package dev.kudu4j.tablet.scan.aggregate;

import java.util.List;

/**
 * One group.
 *
 * @param group a cell for each column that was grouped by, null for NULL
 * @param values one for each aggregate: a Long for a count, a Double for an average and for sums
 *     and extremes of floats, a byte[] cell for extremes of columns that are no numbers, else a
 *     BigDecimal; null when the group has no value
 */
public record AggregateRow(List<byte[]> group, List<Object> values) {}
