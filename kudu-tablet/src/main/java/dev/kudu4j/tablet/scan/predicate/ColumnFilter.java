package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.cfile.CellFilter;

/** A test of one column's cells that no NULL passes. Encoded cells can be tested, too. */
public interface ColumnFilter extends CellFilter, ColumnTest {}
