package dev.kudu4j.tserver.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB.CoordinatorOpType;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.server.leaders.RefusedException;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers tablets with the coordinators of transactions, and lets rows of transactions into the
 * log. A coordinator ends a transaction only in the tablets that it knows, so rows are not
 * acknowledged before their tablet is registered.
 *
 * <p>The first rows of a transaction in a tablet are logged while the tablet is being registered.
 * If the coordinator refuses, an ABORT is logged after them. Should this server stop leading before
 * that, the next leader has rows of an open transaction that it has not registered: it asks the
 * coordinator, and logs the ABORT. Registrations may be repeated: the coordinator refuses only
 * tablets that are no participants, or the transaction has ended.
 *
 * <p>Thread-safe.
 */
public final class Registrations {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);
  private static final long MAX_SECONDS = 30;
  private static final int MAX_KNOWN = 100_000;
  private static final long CHECK_SECONDS = 5;

  /** Every so many checks, also registrations of this server are repeated. */
  private static final int CHECKS_OF_ALL = 12;

  /** The user of a registration that the tablet itself asked for. */
  private static final String NOBODY = "";

  private record Key(long transaction, String tabletId) {}

  /** A registration that is under way, and the rows that are logged meanwhile. */
  private static final class Attempt {
    private final String user;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();

    /** Completes after the registration, when rows that were logged in vain are dropped again. */
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    @GuardedBy("this")
    private final List<CompletableFuture<?>> rows = new ArrayList<>();

    @GuardedBy("this")
    private boolean ended;

    Attempt(String user) {
      this.user = user;
    }

    /** Logs rows; null if the registration has ended. */
    synchronized @Nullable CompletableFuture<RequestResult> log(
        Supplier<CompletableFuture<RequestResult>> log) {
      if (ended) {
        return null;
      }
      CompletableFuture<RequestResult> logged = log.get();
      rows.add(logged);
      return logged;
    }

    synchronized boolean hasRows() {
      return !rows.isEmpty();
    }

    /** Takes no more rows. Completes when those that it took are in the log, or not. */
    synchronized CompletableFuture<Void> end() {
      ended = true;
      return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
          .exceptionally(failure -> null);
    }
  }

  private final CoordinatorClient coordinators;
  private final TabletRegistry tablets;

  /** Registered before, perhaps of transactions that have ended; and for whom. */
  private final Map<Key, String> known = new ConcurrentHashMap<>();

  private final Map<Key, Attempt> underWay = new ConcurrentHashMap<>();
  private volatile boolean everRegistered;
  private int checks;

  Registrations(
      CoordinatorClient coordinators, TabletRegistry tablets, ScheduledExecutorService timer) {
    this.coordinators = coordinators;
    this.tablets = tablets;
    timer.scheduleWithFixedDelay(this::checkAll, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Logs rows of a transaction. Completes when they are staged and their tablet is registered.
   * Fails with {@link RefusedRegistrationException} if the transaction takes none, with
   * NOT_SUPPORTED if the cluster has no transactions, and with TIMED_OUT if the coordinator cannot
   * be reached.
   *
   * @param deadlineNanos of the caller, on the scale of {@link System#nanoTime}
   * @param log logs the rows; called once, unless the transaction refuses them before
   */
  public CompletableFuture<RequestResult> write(
      HostedTablet tablet,
      long transaction,
      String user,
      long deadlineNanos,
      Supplier<CompletableFuture<RequestResult>> log) {
    Key key = new Key(transaction, tablet.tabletId());
    if (user.equals(known.get(key)) && isOpen(tablet, transaction)) {
      return log.get();
    }
    Attempt attempt = attempt(key, user);
    if (!attempt.user.equals(user)) {
      return within(attempt.settled, deadlineNanos)
          .thenCompose(settled -> write(tablet, transaction, user, deadlineNanos, log));
    }
    // Asked while the attempt keeps other users away: rows of theirs must not be dropped with ours.
    boolean first = everRegistered && !known.containsKey(key) && !isOpen(tablet, transaction);
    CompletableFuture<RequestResult> meanwhile = first ? attempt.log(log) : null;
    CompletableFuture<Void> registered = within(attempt.registered, deadlineNanos);
    return meanwhile == null
        ? registered.thenCompose(done -> log.get())
        : registered.thenCompose(done -> meanwhile);
  }

  private static boolean isOpen(HostedTablet tablet, long transaction) {
    return tablet.replica().transactions().isOpen(transaction);
  }

  /** The registration that is under way, or a new one. */
  private Attempt attempt(Key key, String user) {
    Attempt mine = new Attempt(user);
    Attempt present = underWay.putIfAbsent(key, mine);
    if (present != null) {
      return present;
    }
    CoordinatorOpPB.Builder operation =
        CoordinatorOpPB.newBuilder()
            .setType(CoordinatorOpType.REGISTER_PARTICIPANT)
            .setTxnId(key.transaction)
            .setTxnParticipantId(key.tabletId);
    if (!user.equals(NOBODY)) {
      operation.setUser(user);
    }
    coordinators
        .call(operation.build(), System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS))
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                succeeded(key, mine);
              } else {
                failed(key, mine, explain(Failures.unwrap(failure)));
              }
            });
    return mine;
  }

  private void succeeded(Key key, Attempt attempt) {
    if (known.size() >= MAX_KNOWN) {
      known.clear(); // they are registered again
    }
    known.merge(key, attempt.user, (before, now) -> now.equals(NOBODY) ? before : now);
    everRegistered = true;
    settle(key, attempt);
    attempt.registered.complete(null);
  }

  private void failed(Key key, Attempt attempt, Throwable failure) {
    CompletableFuture<Void> logged = attempt.end();
    boolean mayHaveRows = attempt.hasRows() || attempt.user.equals(NOBODY);
    if (failure instanceof RefusedRegistrationException && mayHaveRows) {
      logged
          .thenCompose(done -> drop(key, failure.getMessage()))
          .whenComplete((done, ignored) -> settle(key, attempt));
    } else {
      settle(key, attempt); // if rows are open, they are asked for again
    }
    attempt.registered.completeExceptionally(failure);
  }

  private void settle(Key key, Attempt attempt) {
    underWay.remove(key);
    attempt.settled.complete(null);
  }

  /**
   * Drops rows that were logged in vain: by an attempt, when the tablet had no others, or those
   * that a check has found. Never those of a prepared transaction: its tablets are registered.
   */
  private CompletableFuture<Void> drop(Key key, @Nullable String reason) {
    HostedTablet tablet = tablets.find(key.tabletId);
    if (tablet == null
        || !leads(tablet)
        || tablet.replica().transactions().open().stream()
            .noneMatch(open -> open.id() == key.transaction && !open.isPrepared())) {
      return CompletableFuture.completedFuture(null);
    }
    LOG.info(
        "Tablet {}: the rows of transaction {} are dropped: {}",
        key.tabletId,
        key.transaction,
        reason);
    return tablet.replica().transactions().abort(key.transaction);
  }

  private static boolean leads(HostedTablet tablet) {
    return tablet.isOpen() && tablet.isRunning() && tablet.replica().isLeader();
  }

  /** An exception would end the checks for good. */
  private void checkAll() {
    boolean all = ++checks % CHECKS_OF_ALL == 0;
    for (HostedTablet tablet : tablets.all()) {
      try {
        if (leads(tablet)) {
          checkOpen(tablet, all);
        }
      } catch (RuntimeException e) {
        LOG.error("Tablet {}: open transactions cannot be checked", tablet.tabletId(), e);
      }
    }
  }

  /**
   * Registers the tablet for rows that were logged when another server led, or that could not be
   * registered.
   *
   * @param all also for others: their transactions may have ended before a late request was logged
   */
  private void checkOpen(HostedTablet tablet, boolean all) {
    for (OpenTransaction open : tablet.replica().transactions().open()) {
      Key key = new Key(open.id(), tablet.tabletId());
      if (!open.isPrepared() && (all || !known.containsKey(key))) {
        attempt(key, NOBODY);
      }
    }
  }

  /** Callers share a registration, and have their own deadlines. */
  private static CompletableFuture<Void> within(
      CompletableFuture<Void> registration, long deadlineNanos) {
    long nanos = Math.max(1, deadlineNanos - System.nanoTime());
    return deadlineNanos == WriteSubmission.NO_DEADLINE
        ? registration.copy()
        : registration
            .copy()
            .orTimeout(nanos, TimeUnit.NANOSECONDS)
            .exceptionally(Registrations::late);
  }

  private static Void late(Throwable failure) {
    Throwable cause = Failures.unwrap(failure);
    throw cause instanceof TimeoutException
        ? KuduException.timedOut("The coordinator of the transaction did not answer in time")
        : Failures.asRuntime(cause);
  }

  private static Throwable explain(Throwable failure) {
    if (failure instanceof CoordinatorClient.NoStatusTableException) {
      return KuduException.notSupported("Transactions are not enabled on this server");
    }
    return failure instanceof RefusedException refusal
        ? new RefusedRegistrationException(refusal)
        : failure;
  }
}
