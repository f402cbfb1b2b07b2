package dev.kudu4j.tools.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;

/** A transaction, as its row in the table of transactions describes it. */
record StoredTransaction(long id, TxnStatusEntryPB entry) {
  String user() {
    return entry.getUser();
  }

  TxnStatePB state() {
    return entry.getState();
  }
}
