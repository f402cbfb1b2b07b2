package dev.kudu4j.tablet.log;

import dev.kudu4j.common.row.RowOperations;
import org.jspecify.annotations.Nullable;

/**
 * Row operations of one client request, or one piece of a large request.
 *
 * @param id the request's id; null if the client does not use exactly-once semantics
 * @param transaction the id of the transaction of the rows, or {@link #NO_TRANSACTION}
 * @param piece the index of this piece, from 0
 * @param pieces the number of pieces of the request
 * @param schemaVersion the tablet's schema version when the request was admitted
 * @param columnIds for each column of the rows' layout, its column id in the tablet
 */
public record WriteRequest(
    @Nullable RequestId id,
    long transaction,
    int piece,
    int pieces,
    int schemaVersion,
    int[] columnIds,
    RowOperations rows) {
  /** Stands for the transaction of rows that are in none; ids of transactions begin with 0. */
  public static final long NO_TRANSACTION = -1;

  /** A request in one piece and without a transaction. */
  public WriteRequest(
      @Nullable RequestId id, int schemaVersion, int[] columnIds, RowOperations rows) {
    this(id, 0, 1, schemaVersion, columnIds, rows);
  }

  /** A request without a transaction. */
  public WriteRequest(
      @Nullable RequestId id,
      int piece,
      int pieces,
      int schemaVersion,
      int[] columnIds,
      RowOperations rows) {
    this(id, NO_TRANSACTION, piece, pieces, schemaVersion, columnIds, rows);
  }

  /** Whether the rows belong to a transaction. */
  public boolean isInTransaction() {
    return transaction != NO_TRANSACTION;
  }
}
