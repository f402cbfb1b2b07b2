package dev.kudu4j.tserver.transaction;

import java.util.concurrent.CompletableFuture;

/**
 * The steps of transactions in tablets, which may be repeated. They fail with NOT_FOUND if the
 * tablet does not exist any more, with SERVICE_UNAVAILABLE or TIMED_OUT if they may succeed later,
 * and with another code if they never will.
 */
interface Participants {
  /**
   * Reserves the commit timestamp in a tablet.
   *
   * @param term of the coordinator; the tablet refuses a PREPARE after one of a later term
   */
  CompletableFuture<Void> prepare(
      String tabletId, long transaction, long commitTimestamp, long term);

  /** Makes the rows in a tablet visible. */
  CompletableFuture<Void> commit(String tabletId, long transaction, long commitTimestamp);

  /** Drops the rows in a tablet. */
  CompletableFuture<Void> abort(String tabletId, long transaction);
}
