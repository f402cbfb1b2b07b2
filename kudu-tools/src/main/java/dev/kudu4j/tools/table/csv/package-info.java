/**
 * Import of rows from CSV. {@link dev.kudu4j.tools.table.csv.CsvLines} splits the input into
 * numbered lines, {@link dev.kudu4j.tools.table.csv.CsvHeader} maps cells to columns, {@link
 * dev.kudu4j.tools.table.csv.CsvImport} writes the rows, and {@link
 * dev.kudu4j.tools.table.csv.BadLines} reports skipped lines.
 */
package dev.kudu4j.tools.table.csv;
