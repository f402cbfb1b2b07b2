package dev.kudu4j.itest.workload;

import java.util.List;

/** Tables as one client sees them; for one thread. */
public interface Store extends AutoCloseable {
  /** How the write of a row ended, as far as the writer can know. */
  enum Outcome {
    DONE,
    /** The key of an insert was there: it has changed nothing. */
    PRESENT,
    /** The row of an update or delete was not there: it has changed nothing. */
    ABSENT,
    /** It may have taken effect, may yet, or may never. */
    UNKNOWN
  }

  /** Makes a table of {@link Row}s in so many tablets of as many replicas as there can be. */
  void create(String table, int tabletCount) throws Unavailable;

  /** Tables made, changed and dropped by this client. */
  Catalog catalog();

  /** Inserts rows, those of one tablet in one request; the outcomes are in the rows' order. */
  List<Outcome> insert(String table, List<Row> rows);

  /** Sets rows of one tablet by one request: they take effect together. */
  Outcome upsert(String table, List<Row> rows);

  /** Sets the value of a row, and leaves its mark. */
  Outcome update(String table, long key, long value);

  Outcome delete(String table, long key);

  /** Rows in any order. */
  List<Row> read(Reading reading) throws Unavailable;

  /** The latest timestamp that a server has told this client, or 0. */
  long lastTimestamp();

  @Override
  void close();
}
