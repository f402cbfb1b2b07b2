/**
 * Rows out of CSV. {@link dev.kudu4j.tools.table.csv.CsvLines} cuts the input into lines and keeps
 * their numbers, {@link dev.kudu4j.tools.table.csv.CsvHeader} knows which cell belongs to which
 * column, {@link dev.kudu4j.tools.table.csv.CsvImport} writes the rows, and {@link
 * dev.kudu4j.tools.table.csv.BadLines} keeps account of what was left out.
 */
package dev.kudu4j.tools.table.csv;
