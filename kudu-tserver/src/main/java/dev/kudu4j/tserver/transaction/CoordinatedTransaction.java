package dev.kudu4j.tserver.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that has not ended, at its coordinator.
 *
 * <pre>
 *   OPEN -> COMMIT_IN_PROGRESS -> FINALIZE_IN_PROGRESS -> COMMITTED
 *     |             |             (decided: the rows have a timestamp)
 *     '-------------'-> ABORT_IN_PROGRESS -> ABORTED
 * </pre>
 *
 * <p>A state is first chosen here, and then {@linkplain #stored stored} as a row. Nobody is told of
 * a state before it is stored, except of OPEN, which is lost then, and of COMMITTED, which nothing
 * can change. Thread-safe.
 */
final class CoordinatedTransaction {
  private final long id;
  private final String user;

  @GuardedBy("this")
  private TxnStatusEntryPB chosen;

  @GuardedBy("this")
  private @Nullable TxnStatusEntryPB stored;

  /** What others may know: the entry that was stored last, and before that the first one. */
  @GuardedBy("this")
  private TxnStatusEntryPB told;

  /** The write of {@link #chosen} that is under way, or the last one. */
  @GuardedBy("this")
  private CompletableFuture<Void> write = CompletableFuture.completedFuture(null);

  /** The registrations, complete when their rows are stored. */
  @GuardedBy("this")
  private final Map<String, CompletableFuture<Void>> participants = new LinkedHashMap<>();

  /** An earlier coordinator began to commit it, and may have committed it. */
  private final boolean resumed;

  private final CompletableFuture<TxnStatePB> over = new CompletableFuture<>();

  /** When the commit was asked for, or this coordinator learned of the transaction. */
  @GuardedBy("this")
  private long beganNanos;

  @GuardedBy("this")
  private long commitNanos;

  private volatile long heardNanos;

  /**
   * @param stored whether the entry is stored already, by an earlier coordinator
   */
  CoordinatedTransaction(long id, TxnStatusEntryPB entry, boolean stored, long nowNanos) {
    this.id = id;
    this.user = entry.getUser();
    this.chosen = entry;
    this.stored = stored ? entry : null;
    this.told = entry;
    this.resumed = stored && entry.getState() == TxnStatePB.COMMIT_IN_PROGRESS;
    this.heardNanos = nowNanos;
    this.beganNanos = nowNanos;
  }

  long id() {
    return id;
  }

  String user() {
    return user;
  }

  /** The state that was chosen last. */
  synchronized TxnStatePB state() {
    return chosen.getState();
  }

  synchronized TxnStatusEntryPB chosen() {
    return chosen;
  }

  /** The entry that others may know. */
  synchronized TxnStatusEntryPB known() {
    return chosen.getState() == TxnStatePB.COMMITTED ? chosen : told;
  }

  /** The entry that was stored last; null before the first one is. */
  synchronized @Nullable TxnStatusEntryPB stored() {
    return stored;
  }

  synchronized boolean isStored() {
    return chosen.equals(stored);
  }

  /**
   * Chooses a state, unless the present one is not {@code from}.
   *
   * @param commitTimestamp of a decided transaction, or 0
   */
  boolean choose(TxnStatePB from, TxnStatePB to, long commitTimestamp, long nowSeconds) {
    boolean done = replace(from, to, commitTimestamp, nowSeconds);
    if (done && Coordinator.isOver(to)) {
      over.complete(to); // outside of the lock
    }
    return done;
  }

  private synchronized boolean replace(
      TxnStatePB from, TxnStatePB to, long commitTimestamp, long nowSeconds) {
    if (chosen.getState() != from) {
      return false;
    }
    TxnStatusEntryPB.Builder next =
        chosen.toBuilder().setState(to).setLastTransitionTimestamp(nowSeconds);
    if (commitTimestamp > 0) {
      next.setCommitTimestamp(commitTimestamp);
    }
    chosen = next.build();
    if (to == TxnStatePB.COMMIT_IN_PROGRESS) {
      beganNanos = System.nanoTime();
    } else if (to == TxnStatePB.COMMITTED) {
      commitNanos = System.nanoTime() - beganNanos;
    }
    return true;
  }

  /** The duration of the commit, once all rows are visible. */
  synchronized long commitNanos() {
    return commitNanos;
  }

  /** Stores the chosen entry, after a write that is under way. */
  CompletableFuture<Void> store(StatusStore rows) {
    synchronized (this) {
      if (!write.isDone()) {
        return write.handle((done, failure) -> null).thenCompose(done -> store(rows));
      }
      if (chosen.equals(stored)) {
        return CompletableFuture.completedFuture(null);
      }
      TxnStatusEntryPB entry = chosen;
      write = rows.putTransaction(id, entry).thenAccept(done -> wasStored(entry));
      return write;
    }
  }

  /**
   * Makes sure that the transaction has a row: a begin does not wait for it. A coordinator that
   * found participants only would not know that they may be prepared.
   */
  private synchronized CompletableFuture<Void> storeFirst(StatusStore rows) {
    return stored == null ? store(rows) : CompletableFuture.completedFuture(null);
  }

  private synchronized void wasStored(TxnStatusEntryPB entry) {
    stored = entry;
    told = entry;
  }

  /**
   * Makes a tablet a participant of an open transaction. Null if the transaction is not open and
   * the tablet is no participant.
   */
  synchronized @Nullable CompletableFuture<Void> register(String tabletId, StatusStore rows) {
    CompletableFuture<Void> known = participants.get(tabletId);
    if (known == null || known.isCompletedExceptionally()) {
      if (chosen.getState() != TxnStatePB.OPEN) {
        return null;
      }
      known =
          storeFirst(rows).thenCombine(rows.putParticipant(id, tabletId), (begun, done) -> null);
      participants.put(tabletId, known);
    }
    return known;
  }

  /** Adds a participant whose row is stored. */
  synchronized void hasParticipant(String tabletId) {
    participants.put(tabletId, CompletableFuture.completedFuture(null));
  }

  /**
   * Whether one tablet alone can have rows, so that its COMMIT is the decision. Registrations that
   * failed count: they may be stored, and another coordinator may find them.
   */
  synchronized boolean hasOneParticipant() {
    return participants.size() == 1
        && participants.values().stream()
            .allMatch(each -> each.isDone() && !each.isCompletedExceptionally());
  }

  /** Whether no tablet can have rows. Registrations that failed count. */
  synchronized boolean hasNoParticipant() {
    return participants.isEmpty();
  }

  /** Whether an earlier coordinator may have said that it is committed, without storing it. */
  boolean mayBeCommitted() {
    return resumed
        && (hasNoParticipant() || hasOneParticipant())
        && state() == TxnStatePB.COMMIT_IN_PROGRESS;
  }

  /** Completes when the last state is chosen. */
  CompletableFuture<TxnStatePB> over() {
    return over.copy();
  }

  /**
   * The participants, when the registrations that are under way have ended. Tablets whose
   * registration failed acknowledge no rows, and are left out: another coordinator may not know
   * them, and would not end a transaction that is prepared there.
   */
  CompletableFuture<List<String>> participants() {
    Map<String, CompletableFuture<Void>> all;
    synchronized (this) {
      all = new LinkedHashMap<>(participants);
    }
    return CompletableFuture.allOf(all.values().toArray(CompletableFuture[]::new))
        .handle(
            (done, failure) ->
                all.entrySet().stream()
                    .filter(entry -> !entry.getValue().isCompletedExceptionally())
                    .map(Map.Entry::getKey)
                    .toList());
  }

  /** The participants, also those whose registration is under way or has failed. */
  synchronized List<String> registrations() {
    return List.copyOf(participants.keySet());
  }

  /** Notes that the client is alive. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  long silentNanos(long nowNanos) {
    return nowNanos - heardNanos;
  }
}
