package dev.kudu4j.itest.workload;

import java.util.List;

/** The existing tables, as one client sees and changes them; for one thread. */
public interface Catalog {
  /** The outcome of a change, as far as the client can know. */
  enum Fate {
    DONE,
    /** The change was not made, and will not be made. */
    REFUSED,
    /** The change may have been made, may be made later, or never. */
    UNKNOWN
  }

  /** Creates a table of {@link Row}s. */
  Fate create(String table);

  /** Adds a nullable column of numbers. */
  Fate addColumn(String table, String column);

  Fate rename(String table, String name);

  Fate drop(String table);

  /** The names of all tables. */
  List<String> tables() throws Unavailable;

  /** The names of a table's columns, in order. */
  List<String> columns(String table) throws Unavailable;
}
