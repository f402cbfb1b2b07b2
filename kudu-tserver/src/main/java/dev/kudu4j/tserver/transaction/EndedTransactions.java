package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the rows of transactions that have ended long ago. */
final class EndedTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(EndedTransactions.class);
  private static final int MOST_AT_ONCE = 20_000;
  private static final int IN_ONE_WRITE = 500;

  private final String tabletId;
  private final StatusStore rows;

  EndedTransactions(String tabletId, StatusStore rows) {
    this.tabletId = tabletId;
    this.rows = rows;
  }

  /**
   * Removes those that ended before a time, except for the last one: the next coordinator begins
   * with the ids after it. Reads the rows, and does not wait for the removal; what is left after
   * many is removed by the next call. Failures are logged.
   *
   * @param seconds since 1970
   */
  CompletableFuture<Void> removeUntil(long seconds) {
    CompletableFuture<Void> removal;
    try {
      TreeMap<Long, List<String>> old = find(seconds);
      if (old.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      LOG.info("Tablet {}: {} transactions that have ended are removed", tabletId, old.size());
      removal = remove(old);
    } catch (RuntimeException e) {
      removal = CompletableFuture.failedFuture(e);
    }
    return removal.exceptionally(
        failure -> {
          LOG.warn("Tablet {}: ended transactions cannot be removed", tabletId, failure);
          return null;
        });
  }

  private CompletableFuture<Void> remove(TreeMap<Long, List<String>> old) {
    Map<Long, List<String>> first = new TreeMap<>();
    while (!old.isEmpty() && first.size() < IN_ONE_WRITE) {
      Map.Entry<Long, List<String>> next = old.pollFirstEntry();
      first.put(next.getKey(), next.getValue());
    }
    CompletableFuture<Void> removal = rows.remove(first);
    return old.isEmpty() ? removal : removal.thenCompose(done -> remove(old));
  }

  private TreeMap<Long, List<String>> find(long seconds) {
    TreeMap<Long, List<String>> old = new TreeMap<>();
    long[] last = {-1};
    rows.read(
        new StatusStore.Visitor() {
          @Override
          public void transaction(long id, TxnStatusEntryPB entry) {
            last[0] = id;
            if (Coordinator.isOver(entry.getState())
                && entry.getLastTransitionTimestamp() < seconds
                && old.size() < MOST_AT_ONCE) {
              old.put(id, new ArrayList<>());
            }
          }

          @Override
          public void participant(long id, String participant) {
            List<String> participants = old.get(id);
            if (participants != null) {
              participants.add(participant);
            }
          }
        });
    old.remove(last[0]);
    return old;
  }
}
