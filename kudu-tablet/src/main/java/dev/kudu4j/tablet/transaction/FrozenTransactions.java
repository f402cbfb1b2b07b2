package dev.kudu4j.tablet.transaction;

import dev.kudu4j.tablet.proto.StagedTransactionPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.List;

/**
 * The open transactions at the boundary of a checkpoint.
 *
 * @param open the transactions
 * @param ended ids of transactions that ended lately, oldest first
 * @param files names of the files that have rows of open transactions, oldest first
 * @param inMemory rows that are in no file yet, in staging order
 */
public record FrozenTransactions(
    List<StagedTransactionPB> open,
    List<Long> ended,
    List<String> files,
    List<FrozenRows> inMemory) {

  /** Records the transactions in a superblock, without the file of the rows in memory. */
  public void describe(SuperblockPB.Builder message) {
    message
        .clearStagedTransactions()
        .addAllStagedTransactions(open)
        .clearStagedFiles()
        .addAllStagedFiles(files)
        .clearEndedTransactions()
        .addAllEndedTransactions(ended);
  }

  /** Releases the memory of the rows. */
  public void release() {
    inMemory.forEach(each -> each.content().close());
  }
}
