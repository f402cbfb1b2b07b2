package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.server.replica.write.QueuedStep;
import dev.kudu4j.server.replica.write.WaitingWrites;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private record End(
      long transaction, long commitTimestamp, boolean commits, CompletableFuture<Void> answer) {}

  /** A step as a coordinator sends it, and repeats it if it gets no answer in time. */
  private record Step(Kind kind, long transaction, long commitTimestamp, long term) {
    enum Kind {
      PREPARE,
      COMMIT,
      ABORT
    }
  }

  /** The log or the tablet refused a step; another leader would refuse it too. */
  public static final class RefusedStepException extends KuduException {
    private static final long serialVersionUID = 1L;

    RefusedStepException(StatusCode code, String message) {
      super(code, message);
    }
  }

  /**
   * How long steps wait for their turn. Then the coordinator sends those that are right by then: a
   * PREPARE with a later timestamp, or the ABORT of a transaction that was prepared meanwhile.
   */
  private static final long MAX_PREPARE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long MAX_ABORT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String tabletId;
  private final WriteSubmitter writes;
  private final SafeTime safeTime;
  private final Supplier<List<OpenTransaction>> open;
  private final Executor executor;

  /** Ends that wait for earlier ones. */
  @GuardedBy("this")
  private final List<End> waiting = new ArrayList<>();

  /**
   * Steps that have not ended. The same step again waits for them, and is not logged: otherwise a
   * server that is slow for a moment would get ever more to do from coordinators that repeat.
   */
  private final Map<Step, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

  /**
   * @param open the transactions that have not ended in the tablet
   * @param executor logs ends after others were applied
   */
  TransactionParticipant(
      String tabletId,
      WriteSubmitter writes,
      SafeTime safeTime,
      Supplier<List<OpenTransaction>> open,
      Executor executor) {
    this.tabletId = tabletId;
    this.writes = writes;
    this.safeTime = safeTime;
    this.open = open;
    this.executor = executor;
  }

  /** The transactions that have rows in the tablet or are prepared, by id. */
  public List<OpenTransaction> open() {
    return open.get();
  }

  /** The writes that wait for transactions now. */
  public WaitingWrites waiting() {
    return writes.waitingForTransactions();
  }

  /** Whether a transaction has rows in the tablet or is prepared. */
  public boolean isOpen(long transaction) {
    return find(open.get(), transaction) != null;
  }

  /**
   * Reserves the commit timestamp. From then on the transaction takes no rows and can commit,
   * whatever happens. Fails with NOT_SUPPORTED if the table cannot have transactions, with
   * ILLEGAL_STATE if the transaction has ended, and with SERVICE_UNAVAILABLE if the timestamp has
   * passed or is taken. May be repeated with a later timestamp, which then replaces the first one;
   * an earlier one comes from a late message, and is refused, as one from an earlier coordinator.
   *
   * @param term the term of the coordinator
   */
  public CompletableFuture<Void> prepare(long transaction, long commitTimestamp, long term) {
    OpenTransaction now = find(open.get(), transaction);
    if (now != null && now.commitTimestamp() == commitTimestamp && now.coordinatorTerm() == term) {
      return ifLeader();
    }
    return once(
        new Step(Step.Kind.PREPARE, transaction, commitTimestamp, term),
        () ->
            log(
                new QueuedStep(
                    LogEntry.encodePrepare(transaction, commitTimestamp, term),
                    withLimit(
                        () -> turnOfPrepare(transaction, commitTimestamp), MAX_PREPARE_WAIT_NANOS),
                    true)));
  }

  private QueuedStep.Turn.Answer turnOfPrepare(long transaction, long commitTimestamp) {
    QueuedStep.Turn.Answer answer =
        safeTime.mayPrepare(commitTimestamp, OpenTransaction.NOT_PREPARED);
    if (answer != QueuedStep.Turn.Answer.WAIT) {
      return answer;
    }
    OpenTransaction now = find(open.get(), transaction); // it may wait for its own timestamp
    return now == null ? answer : safeTime.mayPrepare(commitTimestamp, now.commitTimestamp());
  }

  /** Begins a step, unless it is under way. */
  private CompletableFuture<Void> once(Step step, Supplier<CompletableFuture<Void>> begin) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> present = underWay.putIfAbsent(step, mine);
    if (present != null) {
      return present.copy();
    }
    CompletableFuture<Void> begun;
    try {
      begun = begin.get();
    } catch (RuntimeException e) {
      begun = CompletableFuture.failedFuture(e);
    }
    begun.whenComplete(
        (done, failure) -> {
          underWay.remove(step, mine);
          if (failure == null) {
            mine.complete(null);
          } else {
            mine.completeExceptionally(Failures.unwrap(failure));
          }
        });
    return mine.copy();
  }

  /**
   * Applies the rows at the commit timestamp. Completes when they are visible, also if they were
   * before.
   */
  public CompletableFuture<Void> commit(long transaction, long commitTimestamp) {
    return once(
        new Step(Step.Kind.COMMIT, transaction, commitTimestamp, 0),
        () -> end(transaction, commitTimestamp, true));
  }

  /** Done, unless this replica does not lead. */
  private CompletableFuture<Void> ifLeader() {
    try {
      writes.checkLeader();
      return CompletableFuture.completedFuture(null);
    } catch (KuduException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static @Nullable OpenTransaction find(List<OpenTransaction> now, long transaction) {
    return now.stream().filter(each -> each.id() == transaction).findFirst().orElse(null);
  }

  private CompletableFuture<Void> end(long transaction, long commitTimestamp, boolean commits) {
    CompletableFuture<Void> leads = ifLeader();
    if (leads.isCompletedExceptionally()) {
      return leads;
    }
    End end = new End(transaction, commitTimestamp, commits, new CompletableFuture<>());
    synchronized (this) {
      waiting.add(end);
    }
    submitNext();
    if (ifLeader().isCompletedExceptionally()) {
      leadershipEnded(); // it may have ended before the end was added
    }
    return end.answer;
  }

  /** Drops the rows. */
  public CompletableFuture<Void> abort(long transaction) {
    OpenTransaction now = find(open.get(), transaction);
    if (now == null || !now.isPrepared()) {
      return logAbort(transaction);
    }
    return once(
        new Step(Step.Kind.ABORT, transaction, now.commitTimestamp(), 0),
        () -> end(transaction, now.commitTimestamp(), false));
  }

  private CompletableFuture<Void> logAbort(long transaction) {
    return once(
        new Step(Step.Kind.ABORT, transaction, 0, 0),
        () ->
            log(
                new QueuedStep(
                    LogEntry.encodeAbort(transaction),
                    withLimit(this::turnOfAbort, MAX_ABORT_WAIT_NANOS),
                    false)));
  }

  /**
   * An ABORT of a transaction that is not prepared needs a timestamp as a write does, and no other
   * transaction waits for it.
   */
  private QueuedStep.Turn.Answer turnOfAbort() {
    return safeTime.mayBegin() ? QueuedStep.Turn.Answer.LOG : QueuedStep.Turn.Answer.WAIT;
  }

  /** The turn of a step that waits for at most this time from now on, and is refused then. */
  private static QueuedStep.Turn withLimit(QueuedStep.Turn turn, long nanos) {
    long deadline = System.nanoTime() + nanos;
    return () -> {
      QueuedStep.Turn.Answer answer = turn.now();
      return answer == QueuedStep.Turn.Answer.WAIT && System.nanoTime() - deadline >= 0
          ? QueuedStep.Turn.Answer.REFUSE
          : answer;
    };
  }

  private CompletableFuture<Void> log(QueuedStep step) {
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
      throw new RefusedStepException(
          failure.code(), "Tablet " + tabletId + ": " + failure.message());
    }
  }

  /**
   * Logs the end that is next in order. Completes those whose transactions have ended, and rejects
   * those of transactions that are not prepared at this timestamp.
   */
  private void submitNext() {
    List<End> over = new ArrayList<>();
    List<End> next = new ArrayList<>();
    List<End> wrong = new ArrayList<>();
    synchronized (this) {
      List<OpenTransaction> now = open.get();
      long first = firstPrepared(now);
      for (End end : List.copyOf(waiting)) {
        OpenTransaction transaction = find(now, end.transaction);
        if (transaction == null) {
          over.add(end);
        } else if (transaction.commitTimestamp() != end.commitTimestamp
            || (!next.isEmpty() && next.get(0).commits != end.commits)) {
          wrong.add(end);
        } else if (end.commitTimestamp == first) {
          next.add(end);
        }
      }
      waiting.removeAll(over);
      waiting.removeAll(wrong);
      waiting.removeAll(next);
    }
    over.forEach(this::confirm);
    wrong.forEach(end -> end.answer.completeExceptionally(notPrepared(end)));
    if (!next.isEmpty()) {
      submit(next);
    }
  }

  /**
   * A transaction that is not open here has ended, if this replica leads: a leader that was
   * replaced and does not know it may never have seen the transaction. So an entry is logged, which
   * changes nothing.
   */
  private void confirm(End end) {
    logAbort(end.transaction)
        .whenComplete(
            (done, thrown) -> {
              if (thrown == null) {
                end.answer.complete(null);
              } else {
                end.answer.completeExceptionally(RaftFailures.explain(tabletId, thrown));
              }
            });
  }

  private KuduException notPrepared(End end) {
    return new RefusedStepException(
        StatusCode.ILLEGAL_STATE,
        "Tablet %s: transaction %d is not prepared to end at %d"
            .formatted(tabletId, end.transaction, end.commitTimestamp));
  }

  private static long firstPrepared(List<OpenTransaction> now) {
    return now.stream()
        .filter(OpenTransaction::isPrepared)
        .mapToLong(OpenTransaction::commitTimestamp)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void submit(List<End> ends) {
    End first = ends.get(0);
    byte[] entry =
        first.commits
            ? LogEntry.encodeCommit(first.transaction, first.commitTimestamp)
            : LogEntry.encodeAbort(first.transaction, first.commitTimestamp);
    log(new QueuedStep(entry, QueuedStep.Turn.NOW, true))
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
    submitNextLater();
  }

  /** Called when a transaction was prepared again: another one may be the first to end now. */
  void prepared() {
    writes.transactionPrepared();
    submitNextLater();
  }

  private void submitNextLater() {
    boolean more;
    synchronized (this) {
      more = !waiting.isEmpty();
    }
    if (more) {
      executor.execute(this::submitNext); // this is the apply thread
    }
  }

  /** Called when this replica no longer leads. */
  void leadershipEnded() {
    KuduException reason = RaftFailures.notLeader(tabletId, null);
    List<End> all;
    synchronized (this) {
      all = List.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(each -> each.answer.completeExceptionally(reason));
    writes.failBlocked(reason);
  }
}
