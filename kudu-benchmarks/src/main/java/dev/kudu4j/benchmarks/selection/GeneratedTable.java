package dev.kudu4j.benchmarks.selection;

import java.util.Iterator;
import java.util.List;

/** A table with generated rows, which are the same in each run. */
public interface GeneratedTable {
  String name();

  /** The columns. The first one is the primary key, by which rows are hashed. */
  List<TableColumn> columns();

  /** The number of rows. */
  long rowCount();

  /**
   * One of {@code parts} disjoint shares of the rows. The array of a row has its cells in the order
   * of the columns, and is reused for the next row.
   *
   * @param part number of the share, from 1
   */
  Iterator<Object[]> rows(int part, int parts);

  /** The names of all columns. */
  default List<String> columnNames() {
    return columns().stream().map(TableColumn::name).toList();
  }
}
