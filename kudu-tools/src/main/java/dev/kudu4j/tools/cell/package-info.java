/**
 * Cells and their text: {@link dev.kudu4j.tools.cell.CellReader} takes what an operator or a CSV
 * file writes, {@link dev.kudu4j.tools.cell.CellWriter} gives it back in a form that can be read
 * again.
 */
package dev.kudu4j.tools.cell;
