package dev.kudu4j.tools.table.csv;

import java.util.List;

/**
 * A line of the input, or several where a cell spans them.
 *
 * @param number of its first line, from 1
 * @param cells without quotes; null for an empty cell that has none
 * @param problem why the line cannot be read; null when it can
 */
record CsvLine(long number, List<String> cells, String problem) {}
