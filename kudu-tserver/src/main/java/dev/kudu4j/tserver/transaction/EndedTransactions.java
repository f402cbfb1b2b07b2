package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the rows of transactions that have ended long ago. */
final class EndedTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(EndedTransactions.class);
  private static final int MOST_AT_ONCE = 500;

  private final String tabletId;
  private final StatusStore rows;

  EndedTransactions(String tabletId, StatusStore rows) {
    this.tabletId = tabletId;
    this.rows = rows;
  }

  /**
   * Removes those that ended before a time, except for the last one: the next coordinator begins
   * with the ids after it. Blocks. Failures are logged.
   *
   * @param seconds since 1970
   */
  void removeUntil(long seconds) {
    try {
      int removed = 0;
      for (Map<Long, List<String>> old = find(seconds); !old.isEmpty(); old = find(seconds)) {
        rows.remove(old).join();
        removed += old.size();
      }
      if (removed > 0) {
        LOG.info("Tablet {}: {} transactions that have ended are removed", tabletId, removed);
      }
    } catch (CompletionException e) {
      LOG.info("Tablet {}: transactions that have ended could not be removed", tabletId, e);
    } catch (RuntimeException e) {
      LOG.warn("Tablet {}: transactions that have ended cannot be removed", tabletId, e);
    }
  }

  private Map<Long, List<String>> find(long seconds) {
    TreeMap<Long, List<String>> old = new TreeMap<>();
    long[] last = {-1};
    rows.read(
        new StatusStore.Visitor() {
          @Override
          public void transaction(long id, TxnStatusEntryPB entry) {
            last[0] = id;
            if (Coordinator.isOver(entry.getState())
                && entry.getLastTransitionTimestamp() < seconds
                && old.size() <= MOST_AT_ONCE) {
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
    while (old.size() > MOST_AT_ONCE) {
      old.pollLastEntry();
    }
    return old;
  }
}
