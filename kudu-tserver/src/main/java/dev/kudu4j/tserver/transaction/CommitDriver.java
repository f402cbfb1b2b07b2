package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.leaders.RefusedException;
import dev.kudu4j.server.leaders.TabletGoneException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out commits and aborts, step by step, and repeats steps that fail until they succeed or
 * the coordinator's term ends.
 *
 * <pre>
 *   COMMIT_IN_PROGRESS     PREPARE to all participants with one timestamp   -> FINALIZE_IN_PROGRESS
 *                          a participant refuses, or none of them answers   -> ABORT_IN_PROGRESS
 *   FINALIZE_IN_PROGRESS   COMMIT to all participants                       -> COMMITTED
 *   ABORT_IN_PROGRESS      ABORT to all participants                        -> ABORTED
 * </pre>
 *
 * <p>A single participant decides by its COMMIT, so FINALIZE_IN_PROGRESS is not stored for it. The
 * next coordinator finds COMMIT_IN_PROGRESS then, and learns from the refusal of PREPARE that the
 * transaction has ended there: it can only have been committed, because an abort is stored first.
 *
 * <p>Each step goes to all participants at once: if it went from one to the next, two transactions
 * could wait for each other. Thread-safe.
 */
final class CommitDriver {
  private static final Logger LOG = LoggerFactory.getLogger(CommitDriver.class);
  private static final int QUIET_FAILURES = 5;
  private static final long MIN_PAUSE_MILLIS = 2;
  private static final long MAX_PAUSE_MILLIS = 1_000;

  /**
   * How long a transaction waits for a participant that does not answer, before it is aborted:
   * while others have prepared, their writers wait too.
   */
  private static final long PREPARE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final long PREPARE_WITH_OTHERS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long MIN_LEAD = HybridTime.ofMicros(500);

  private final StatusStore rows;
  private final Coordinator.Environment environment;
  private final Consumer<CoordinatedTransaction> ended;
  private final BooleanSupplier closed;
  private final Map<Long, Drive> driven = new ConcurrentHashMap<>();
  private final RateLimitedLog limited = RateLimitedLog.oncePerSecond(LOG);

  /** The progress of one transaction. */
  private static final class Drive {
    private final long beganNanos = System.nanoTime();

    /** When a participant first prepared, or 0. */
    private volatile long preparedNanos;

    private int failures;
    private long chosenNanos;
    private long lastTimestamp;

    void participantPrepared() {
      if (preparedNanos == 0) {
        preparedNanos = System.nanoTime();
      }
    }

    boolean hasWaitedTooLong() {
      long now = System.nanoTime();
      return now - beganNanos > PREPARE_NANOS
          || (preparedNanos != 0 && now - preparedNanos > PREPARE_WITH_OTHERS_NANOS);
    }

    long pauseMillis() {
      return Math.min(MAX_PAUSE_MILLIS, MIN_PAUSE_MILLIS << Math.min(failures, 10));
    }
  }

  /**
   * @param ended called when the last state is stored
   */
  CommitDriver(
      StatusStore rows,
      Coordinator.Environment environment,
      Consumer<CoordinatedTransaction> ended,
      BooleanSupplier closed) {
    this.rows = rows;
    this.environment = environment;
    this.ended = ended;
    this.closed = closed;
  }

  /** Begins to carry out the state of a transaction, unless that is under way. */
  void drive(CoordinatedTransaction transaction) {
    if (!environment.drives()) {
      return;
    }
    Drive drive = new Drive();
    if (driven.putIfAbsent(transaction.id(), drive) == null) {
      advance(transaction, drive);
    }
  }

  private void advance(CoordinatedTransaction transaction, Drive drive) {
    if (closed.getAsBoolean()) {
      return;
    }
    CompletableFuture<Void> progress =
        switch (transaction.state()) {
          case COMMIT_IN_PROGRESS -> prepare(transaction, drive);
          case FINALIZE_IN_PROGRESS -> decide(transaction, drive);
          default -> storeAndStep(transaction, drive);
        };
    progress.whenComplete((done, failure) -> stepEnded(transaction, drive, failure));
  }

  private void stepEnded(CoordinatedTransaction transaction, Drive drive, Throwable failure) {
    if (failure != null) {
      drive.failures++;
      if (!closed.getAsBoolean()) {
        logRetry(transaction, drive, Failures.unwrap(failure));
        repeat(transaction, drive);
      }
    } else if (Coordinator.isOver(transaction.state()) && transaction.isStored()) {
      driven.remove(transaction.id());
      ended.accept(transaction);
    } else {
      advance(transaction, drive);
    }
  }

  /** The first failures are usual: a timestamp that has passed, or a new leader. */
  private void logRetry(CoordinatedTransaction transaction, Drive drive, Throwable failure) {
    if (drive.failures > QUIET_FAILURES) {
      limited.warn(
          "Transaction {}, {}: will retry: {}",
          transaction.id(),
          transaction.state(),
          failure.getMessage());
    }
  }

  private void repeat(CoordinatedTransaction transaction, Drive drive) {
    try {
      environment
          .timer()
          .schedule(() -> advance(transaction, drive), drive.pauseMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("A step was dropped, since the server is closing", e);
    }
  }

  /** Stores the decision, and sends COMMIT. That of a single participant needs no row. */
  private CompletableFuture<Void> decide(CoordinatedTransaction transaction, Drive drive) {
    TxnStatusEntryPB stored = transaction.stored();
    return stored != null
            && stored.getState() == TxnStatePB.COMMIT_IN_PROGRESS
            && transaction.hasOneParticipant()
        ? commit(transaction, transaction.chosen(), drive)
        : storeAndStep(transaction, drive);
  }

  private CompletableFuture<Void> storeAndStep(CoordinatedTransaction transaction, Drive drive) {
    return transaction.store(rows).thenCompose(stored -> step(transaction, drive));
  }

  /** Acts on the stored state, and chooses the next one. */
  private CompletableFuture<Void> step(CoordinatedTransaction transaction, Drive drive) {
    TxnStatusEntryPB entry = Objects.requireNonNull(transaction.stored(), "stored before");
    return switch (entry.getState()) {
      case FINALIZE_IN_PROGRESS -> commit(transaction, entry, drive);
      case ABORT_IN_PROGRESS -> abort(transaction);
      case COMMITTED, ABORTED -> CompletableFuture.completedFuture(null);
      default ->
          CompletableFuture.failedFuture(
              KuduException.corruption("unexpected state %s", entry.getState()));
    };
  }

  /**
   * Sends PREPARE while the state is being stored. If it is lost, the transaction is open, and
   * prepared in some tablets: the next coordinator commits or aborts it when it is asked to, or
   * when its client is silent.
   */
  private CompletableFuture<Void> prepare(CoordinatedTransaction transaction, Drive drive) {
    CompletableFuture<Void> stored = transaction.store(rows);
    return transaction
        .participants()
        .thenCompose(participants -> prepare(transaction, participants, drive))
        .thenCombine(stored, (prepared, done) -> prepared)
        .thenAccept(Runnable::run);
  }

  /** Returns what is to be done when the state is stored. */
  private CompletableFuture<Runnable> prepare(
      CoordinatedTransaction transaction, List<String> participants, Drive drive) {
    if (transaction.hasNoParticipant()) {
      return CompletableFuture.completedFuture(
          () -> choose(transaction, TxnStatePB.COMMIT_IN_PROGRESS, TxnStatePB.COMMITTED, 0));
    }
    long timestamp = chooseTimestamp(drive);
    return all(
            participants,
            tablet ->
                environment
                    .participants()
                    .prepare(tablet, transaction.id(), timestamp, rows.term())
                    .thenRun(drive::participantPrepared))
        .handle(
            (done, failure) -> {
              if (failure != null) {
                notPrepared(transaction, Failures.unwrap(failure), drive);
                return () -> {};
              }
              return () ->
                  choose(
                      transaction,
                      TxnStatePB.COMMIT_IN_PROGRESS,
                      TxnStatePB.FINALIZE_IN_PROGRESS,
                      timestamp);
            });
  }

  /**
   * The lead is one of physical time. Hybrid time is ahead of it after a commit, and stands nearly
   * still until physical time has caught up: a lead on top of it would make clocks run away from
   * physical time with each commit. Later attempts have later timestamps, so that participants can
   * recognise late messages.
   */
  private long chooseTimestamp(Drive drive) {
    drive.chosenNanos = System.nanoTime();
    HybridClock clock = environment.clock();
    long physical = clock.source().nowMicros() + environment.lead().micros();
    drive.lastTimestamp =
        Math.max(
            HybridTime.ofMicros(physical),
            Math.max(clock.now() + MIN_LEAD, drive.lastTimestamp + 1));
    return drive.lastTimestamp;
  }

  /** A participant could not prepare: tries again or aborts the transaction. */
  private void notPrepared(CoordinatedTransaction transaction, Throwable failure, Drive drive) {
    if (transaction.mayBeCommitted()) {
      if (hasEnded(failure)) {
        wasCommittedBefore(transaction);
        return;
      }
      throw new CompletionException(failure); // only the participant knows
    }
    if (mayPass(failure) && !drive.hasWaitedTooLong()) {
      if (Failures.codeOf(failure) == StatusCode.SERVICE_UNAVAILABLE) {
        environment.lead().wasTooShort();
      }
      throw new CompletionException(failure);
    }
    LOG.warn(
        "Transaction {} of user {} is aborted, because a participant cannot commit it: {}",
        transaction.id(),
        transaction.user(),
        failure.getMessage());
    choose(transaction, TxnStatePB.COMMIT_IN_PROGRESS, TxnStatePB.ABORT_IN_PROGRESS, 0);
  }

  /** Whether a participant says that the transaction has ended there, or its tablet is dropped. */
  private static boolean hasEnded(Throwable failure) {
    return failure instanceof TabletGoneException
        || (failure instanceof RefusedException refusal
            && refusal.code() == StatusCode.ILLEGAL_STATE);
  }

  /**
   * The commit timestamp is known to nobody any more. The clock is past it, since it follows the
   * participant's, so programs that go on from this timestamp see the rows.
   */
  private void wasCommittedBefore(CoordinatedTransaction transaction) {
    choose(
        transaction,
        TxnStatePB.COMMIT_IN_PROGRESS,
        TxnStatePB.COMMITTED,
        environment.clock().now());
  }

  private CompletableFuture<Void> commit(
      CoordinatedTransaction transaction, TxnStatusEntryPB entry, Drive drive) {
    if (drive.chosenNanos > 0 && drive.failures == 0) {
      environment.lead().took(System.nanoTime() - drive.chosenNanos);
    }
    long timestamp = entry.getCommitTimestamp();
    return all(
            transaction,
            tablet ->
                unlessGone(environment.participants().commit(tablet, transaction.id(), timestamp)))
        .thenRun(
            () ->
                choose(
                    transaction, TxnStatePB.FINALIZE_IN_PROGRESS, TxnStatePB.COMMITTED, timestamp));
  }

  private CompletableFuture<Void> abort(CoordinatedTransaction transaction) {
    return all(
            transaction,
            tablet -> unlessGone(environment.participants().abort(tablet, transaction.id())))
        .thenRun(() -> choose(transaction, TxnStatePB.ABORT_IN_PROGRESS, TxnStatePB.ABORTED, 0));
  }

  private void choose(
      CoordinatedTransaction transaction, TxnStatePB from, TxnStatePB to, long timestamp) {
    transaction.choose(from, to, timestamp, environment.nowSeconds());
  }

  private static CompletableFuture<Void> all(
      CoordinatedTransaction transaction, Function<String, CompletableFuture<Void>> step) {
    return transaction.participants().thenCompose(participants -> all(participants, step));
  }

  /** Sends a step to all participants at once, and waits for all, also if one fails. */
  private static CompletableFuture<Void> all(
      List<String> participants, Function<String, CompletableFuture<Void>> step) {
    return CompletableFuture.allOf(
        participants.stream().map(step).toArray(CompletableFuture[]::new));
  }

  /** A tablet that was dropped has no rows left. */
  private static CompletableFuture<Void> unlessGone(CompletableFuture<Void> step) {
    return step.handle(
        (done, failure) -> {
          if (failure != null && !(Failures.unwrap(failure) instanceof TabletGoneException)) {
            throw new CompletionException(Failures.unwrap(failure));
          }
          return null;
        });
  }

  private static boolean mayPass(Throwable failure) {
    return Set.of(StatusCode.SERVICE_UNAVAILABLE, StatusCode.TIMED_OUT)
        .contains(Failures.codeOf(failure));
  }
}
