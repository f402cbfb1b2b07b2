package dev.kudu4j.tools.table.csv;

import java.util.List;

/**
 * A line of the input, or several if a cell contains line breaks.
 *
 * @param number number of its first line, from 1
 * @param cells without quotes; null for an empty cell without quotes
 * @param problem why the line cannot be parsed; null if it can
 */
record CsvLine(long number, List<String> cells, String problem) {}
