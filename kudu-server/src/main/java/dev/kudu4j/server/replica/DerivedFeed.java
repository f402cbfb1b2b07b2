package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogEntry;
import java.util.concurrent.CompletableFuture;

/** The feed of a derived tablet, at one of its replicas. Thread-safe. */
public final class DerivedFeed {
  private final String tabletId;
  private final WriteSubmitter writes;
  private final SafeTime safeTime;
  private final ReplicaState state;

  DerivedFeed(String tabletId, WriteSubmitter writes, SafeTime safeTime, ReplicaState state) {
    this.tabletId = tabletId;
    this.writes = writes;
    this.safeTime = safeTime;
    this.state = state;
  }

  /**
   * How much of the feed this replica has applied.
   *
   * @throws KuduException ILLEGAL_STATE if the tablet is not a derived one
   */
  public FeedMark mark() {
    FeedMark mark = state.feedMark();
    if (mark == null) {
      throw KuduException.illegalState("Tablet %s is not a derived tablet", tabletId);
    }
    return mark;
  }

  /**
   * Sets what runs when a reader begins to wait for a snapshot that this replica, which leads, does
   * not have. It must not block.
   */
  public void onReader(Runnable listener) {
    safeTime.onFeedReader(listener);
  }

  /**
   * Lets readers see that the feed has no rows below a time but those that the tablet has. Nothing
   * is logged, so only this replica knows it, if it leads, and those that ask it.
   *
   * @param mark of the tablet, from which the feed was read up to the time
   * @return false, without an effect, if the tablet has another mark: then an entry was applied
   */
  public boolean hasNoMoreRows(FeedMark mark, long upTo) {
    boolean isOfMark = mark().equals(mark);
    if (isOfMark) {
      safeTime.fed(upTo);
    }
    return isOfMark;
  }

  /**
   * Logs rows. They are added if they continue the tablet's mark when they are applied, and passed
   * over if not: then rows of an earlier leader were applied before. The result is the mark after
   * that, from which the feed goes on.
   *
   * <p>Fails with ILLEGAL_STATE if this replica does not lead in the term, and with
   * SERVICE_UNAVAILABLE if it should be tried again, for example if memory is nearly full. Rows are
   * admitted as those of writes are: by the memory that they will take.
   */
  public CompletableFuture<FeedMark> add(FedRows rows, long term) {
    return writes
        .logRows(() -> LogEntry.encodeFeed(rows), () -> state.memoryBytes(rows), term)
        .thenApply(done -> mark());
  }
}
