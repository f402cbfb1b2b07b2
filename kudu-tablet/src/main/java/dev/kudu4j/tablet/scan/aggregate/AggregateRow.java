package dev.kudu4j.tablet.scan.aggregate;

import java.util.List;

/**
 * The result for one group.
 *
 * @param group one cell per grouping column; null for NULL
 * @param values one value per aggregate: a Long for COUNT; a Double for AVG and for SUM, MIN and
 *     MAX of floats; a byte[] cell for MIN and MAX of columns without arithmetic and for sketches;
 *     else a BigDecimal. A value is null if the group has only NULLs
 */
public record AggregateRow(List<byte[]> group, List<Object> values) {}
