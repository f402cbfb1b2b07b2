package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB.CoordinatorOpType;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Registers tablets with the coordinators of transactions, before they take the first rows of one.
 * A tablet with rows that its coordinator does not know would keep them for ever. Thread-safe.
 */
public final class Registrations {
  private static final long MAX_SECONDS = 30;
  private static final int MAX_KNOWN = 100_000;

  private record Key(long transaction, String tabletId, String user) {}

  private final CoordinatorClient coordinators;

  /** Registered before, perhaps of transactions that have ended. */
  private final Set<Key> known = ConcurrentHashMap.newKeySet();

  private final Map<Key, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

  public Registrations(CoordinatorClient coordinators) {
    this.coordinators = coordinators;
  }

  /**
   * Completes when the tablet may take rows of the transaction. Fails with {@link
   * RefusedRegistrationException} if the transaction takes none, with NOT_SUPPORTED if the cluster
   * has no transactions, and with TIMED_OUT if the coordinator cannot be reached.
   *
   * @param deadlineNanos of the caller, on the scale of {@link System#nanoTime}
   */
  public CompletableFuture<Void> register(
      HostedTablet tablet, long transaction, String user, long deadlineNanos) {
    Key key = new Key(transaction, tablet.tabletId(), user);
    if (known.contains(key) && tablet.replica().transactions().isOpen(transaction)) {
      return CompletableFuture.completedFuture(null); // rows of the user are here
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> first = underWay.putIfAbsent(key, mine);
    if (first != null) {
      return within(first, deadlineNanos);
    }
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    CoordinatorOpPB operation =
        CoordinatorOpPB.newBuilder()
            .setType(CoordinatorOpType.REGISTER_PARTICIPANT)
            .setTxnId(transaction)
            .setTxnParticipantId(tablet.tabletId())
            .setUser(user)
            .build();
    coordinators
        .call(operation, limit)
        .whenComplete(
            (done, failure) -> {
              underWay.remove(key);
              if (failure == null) {
                remember(key);
                mine.complete(null);
              } else {
                mine.completeExceptionally(explain(Failures.unwrap(failure)));
              }
            });
    return within(mine, deadlineNanos);
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

  private void remember(Key key) {
    if (known.size() >= MAX_KNOWN) {
      known.clear(); // they are registered again
    }
    known.add(key);
  }

  private static Throwable explain(Throwable failure) {
    if (failure instanceof CoordinatorClient.NoStatusTableException) {
      return KuduException.notSupported("Transactions are not enabled on this server");
    }
    return failure instanceof KuduException known && isRefusal(known.code())
        ? new RefusedRegistrationException(known)
        : failure;
  }

  private static boolean isRefusal(StatusCode code) {
    return switch (code) {
      case ILLEGAL_STATE, NOT_FOUND, NOT_AUTHORIZED -> true;
      default -> false;
    };
  }
}
