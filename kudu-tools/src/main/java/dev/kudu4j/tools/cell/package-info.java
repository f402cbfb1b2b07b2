/**
 * Parsing and formatting of cells: {@link dev.kudu4j.tools.cell.CellReader} parses text from a
 * command line or a CSV file, {@link dev.kudu4j.tools.cell.CellWriter} formats values so they can
 * be parsed again.
 */
package dev.kudu4j.tools.cell;
