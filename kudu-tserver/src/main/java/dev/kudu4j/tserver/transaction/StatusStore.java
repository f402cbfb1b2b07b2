package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What a coordinator keeps: the states of transactions and their participants. A store serves one
 * term of the coordinator; in any other term its writes fail. A write that fails may have taken
 * effect.
 */
interface StatusStore {
  /** Receives what is stored, in the order of ids: a transaction before its participants. */
  interface Visitor {
    void transaction(long id, TxnStatusEntryPB entry);

    void participant(long id, String tabletId);
  }

  long term();

  /** Stores the state of a transaction. */
  CompletableFuture<Void> putTransaction(long id, TxnStatusEntryPB entry);

  CompletableFuture<Void> putParticipant(long id, String tabletId);

  /**
   * Stores nothing. When it is done, every earlier write of this server has taken effect or never
   * will.
   */
  CompletableFuture<Void> putNothing();

  /**
   * Removes transactions and their participants.
   *
   * @param participants by transaction
   */
  CompletableFuture<Void> remove(Map<Long, List<String>> participants);

  /** Passes everything to the visitor. */
  void read(Visitor visitor);

  /** Passes one transaction to the visitor. */
  void read(long id, Visitor visitor);
}
