package dev.kudu4j.itest.workload;

import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Tables as one client sees them; for one thread. */
public interface Store extends AutoCloseable {
  /** The outcome of the write of a row, as far as the writer can know. */
  enum Outcome {
    DONE,
    /** The key of an insert already existed: it has changed nothing. */
    PRESENT,
    /** The row of an update or delete did not exist: it has changed nothing. */
    ABSENT,
    /** The transaction was rolled back, or will be: it changes nothing. */
    REFUSED,
    /** The write may have taken effect, may take effect later, or never. */
    UNKNOWN
  }

  /** Creates a table of {@link Row}s with that many tablets and the maximum number of replicas. */
  void create(String table, int tabletCount) throws Unavailable;

  /** Tables, as this client creates, changes and drops them. */
  Catalog catalog();

  /** Inserts rows, those of one tablet in one request; the outcomes are in the rows' order. */
  List<Outcome> insert(String table, List<Row> rows);

  /** Upserts rows of one tablet with one request: they take effect together. */
  Outcome upsert(String table, List<Row> rows);

  /** Sets the value of a row, and keeps its mark. */
  Outcome update(String table, long key, long value);

  Outcome delete(String table, long key);

  /**
   * Updates rows of several tables, which exist, in one transaction.
   *
   * @param changes by table
   */
  Outcome transact(Map<String, List<Row>> changes);

  /**
   * Commits the next batch of a producer: upserts rows of several tables together, after the
   * producer's earlier batches.
   *
   * @param rows by table, for the number of the batch
   * @return the number of the batch; the first one has the number 1
   * @throws Unavailable if the batch may be committed or not
   */
  long commitNext(String producer, LongFunction<Map<String, List<Row>>> rows) throws Unavailable;

  /** Rows in any order. */
  List<Row> read(Reading reading) throws Unavailable;

  /** A change of a row; null stands for no row. */
  record Change(@Nullable Row before, @Nullable Row after) {}

  /**
   * Changes from the change feed of a table.
   *
   * @param position behind them
   */
  record Changes(List<Change> changes, String position) {}

  /**
   * Reads the next changes of a table.
   *
   * @param position from an earlier call; empty for the beginning
   * @param toNow whether to read all that happened before this call, or only the next ones
   */
  Changes follow(String table, String position, boolean toNow) throws Unavailable;

  /** The latest timestamp that this client has received from a server, or 0. */
  long lastTimestamp();

  @Override
  void close();
}
