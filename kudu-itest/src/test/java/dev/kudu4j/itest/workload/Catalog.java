package dev.kudu4j.itest.workload;

import java.util.List;

/** Which tables there are, as one client sees it and changes it; for one thread. */
public interface Catalog {
  /** How a change ended, as far as its author can know. */
  enum Fate {
    DONE,
    /** It was not made, and will not be. */
    REFUSED,
    /** It may have been made, may yet be, or may never. */
    UNKNOWN
  }

  /** Makes a table of {@link Row}s. */
  Fate create(String table);

  /** Adds a column of numbers that need not be there. */
  Fate addColumn(String table, String column);

  Fate rename(String table, String name);

  Fate drop(String table);

  /** The names of all tables. */
  List<String> tables() throws Unavailable;

  /** The names of a table's columns, in order. */
  List<String> columns(String table) throws Unavailable;
}
