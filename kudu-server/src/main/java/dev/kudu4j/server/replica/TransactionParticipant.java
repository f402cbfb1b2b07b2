package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The steps of transactions in one tablet, which its leader logs. All of them may be repeated.
 * Prepared transactions end in the order of their commit timestamps, so a commit waits for earlier
 * ones. A coordinator therefore sends each step to all tablets at once: one after the other, two
 * transactions could wait for each other. Thread-safe.
 *
 * <p>Every step fails with ILLEGAL_STATE if this replica does not lead, and with
 * SERVICE_UNAVAILABLE if it should be tried again.
 */
public final class TransactionParticipant {
  /** The end of a prepared transaction. */
  private record End(long transaction, boolean commits, CompletableFuture<Void> answer) {}

  private final String tabletId;
  private final WriteSubmitter writes;
  private final Supplier<List<OpenTransaction>> open;

  /** Ends that wait for earlier ones, by commit timestamp. */
  @GuardedBy("this")
  private final TreeMap<Long, List<End>> waiting = new TreeMap<>();

  /**
   * @param open the transactions that have not ended in the tablet
   */
  TransactionParticipant(
      String tabletId, WriteSubmitter writes, Supplier<List<OpenTransaction>> open) {
    this.tabletId = tabletId;
    this.writes = writes;
    this.open = open;
  }

  /** The transactions that have rows in the tablet or are prepared, by id. */
  public List<OpenTransaction> open() {
    return open.get();
  }

  /**
   * Reserves the commit timestamp. From then on the transaction takes no rows and can commit,
   * whatever happens. Fails with NOT_SUPPORTED if the table cannot have transactions, with
   * ILLEGAL_STATE if the transaction has ended, and with SERVICE_UNAVAILABLE if the timestamp has
   * passed or is taken. May be repeated with another timestamp, which then replaces the first one.
   */
  public CompletableFuture<Void> prepare(long transaction, long commitTimestamp) {
    return log(() -> LogEntry.encodePrepare(transaction, commitTimestamp));
  }

  /**
   * Applies the rows at the commit timestamp. Completes when they are visible, also if they were
   * before.
   */
  public CompletableFuture<Void> commit(long transaction, long commitTimestamp) {
    return end(transaction, commitTimestamp, true);
  }

  private CompletableFuture<Void> end(long transaction, long commitTimestamp, boolean commits) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    try {
      writes.checkLeader();
    } catch (KuduException e) {
      answer.completeExceptionally(e);
      return answer;
    }
    synchronized (this) {
      waiting
          .computeIfAbsent(commitTimestamp, timestamp -> new ArrayList<>(1))
          .add(new End(transaction, commits, answer));
    }
    submitNext();
    return answer;
  }

  /** Drops the rows. */
  public CompletableFuture<Void> abort(long transaction) {
    for (OpenTransaction each : open.get()) {
      if (each.id() == transaction && each.isPrepared()) {
        return end(transaction, each.commitTimestamp(), false);
      }
    }
    return log(() -> LogEntry.encodeAbort(transaction));
  }

  private CompletableFuture<Void> log(Supplier<byte[]> step) {
    return writes
        .logStep(step)
        .thenApply(
            result -> {
              throwIfRefused(result);
              return null;
            });
  }

  private void throwIfRefused(RequestResult result) {
    if (!result.errors().isEmpty()) {
      RowFailure failure = result.errors().get(0);
      throw KuduException.of(failure.code(), "Tablet %s: %s", tabletId, failure.message());
    }
  }

  /** Logs the end that is next in order; completes those whose transactions have ended. */
  private void submitNext() {
    List<End> over = new ArrayList<>();
    Map.Entry<Long, List<End>> next = null;
    synchronized (this) {
      List<OpenTransaction> now = open.get();
      long first = firstPrepared(now);
      while (!waiting.isEmpty() && waiting.firstKey() < first) {
        over.addAll(waiting.pollFirstEntry().getValue());
      }
      if (!waiting.isEmpty() && waiting.firstKey() == first) {
        next = waiting.pollFirstEntry();
      } else {
        waiting
            .entrySet()
            .removeIf(
                entry -> {
                  boolean gone = now.stream().noneMatch(t -> t.commitTimestamp() == entry.getKey());
                  if (gone) {
                    over.addAll(entry.getValue());
                  }
                  return gone;
                });
      }
    }
    over.forEach(each -> each.answer.complete(null));
    if (next != null) {
      submit(next.getKey(), next.getValue());
    }
  }

  private static long firstPrepared(List<OpenTransaction> now) {
    return now.stream()
        .filter(OpenTransaction::isPrepared)
        .mapToLong(OpenTransaction::commitTimestamp)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void submit(long commitTimestamp, List<End> ends) {
    long transaction = ends.get(0).transaction;
    boolean commits = ends.get(0).commits;
    log(() ->
            commits
                ? LogEntry.encodeCommit(transaction, commitTimestamp)
                : LogEntry.encodeAbort(transaction, commitTimestamp))
        .whenComplete(
            (done, thrown) -> {
              for (End each : ends) {
                if (thrown == null) {
                  each.answer.complete(null);
                } else {
                  each.answer.completeExceptionally(RaftFailures.explain(tabletId, thrown));
                }
              }
            });
  }

  /** Called when a transaction was committed or aborted, after its rows are applied. */
  void ended(long transaction) {
    writes.transactionEnded(transaction);
    submitNext();
  }

  /** Called when this replica no longer leads. */
  void leadershipEnded() {
    KuduException reason = RaftFailures.notLeader(tabletId, null);
    List<End> all = new ArrayList<>();
    synchronized (this) {
      waiting.values().forEach(all::addAll);
      waiting.clear();
    }
    all.forEach(each -> each.answer.completeExceptionally(reason));
    writes.failBlocked(reason);
  }
}
