package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB.CoordinatorOpType;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Registers tablets with the coordinators of transactions, before they take the first rows of one.
 * A tablet with rows that its coordinator does not know would keep them for ever. Thread-safe.
 */
public final class Registrations {
  private static final long MAX_SECONDS = 30;

  private record Key(long transaction, String tabletId) {}

  private final CoordinatorClient coordinators;
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
    if (tablet.replica().transactions().isOpen(transaction)) {
      return CompletableFuture.completedFuture(null); // its rows are here, so it is registered
    }
    Key key = new Key(transaction, tablet.tabletId());
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> first = underWay.putIfAbsent(key, mine);
    if (first != null) {
      return first;
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
        .call(operation, Math.min(limit, deadlineNanos))
        .whenComplete(
            (done, failure) -> {
              underWay.remove(key);
              if (failure == null) {
                mine.complete(null);
              } else {
                mine.completeExceptionally(explain(Failures.unwrap(failure)));
              }
            });
    return mine;
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
