package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One request to a tablet, retried until its deadline. Replicas are tried in rounds. A round tries
 * every replica at most once, without delays; only a busy leader is tried again, after a delay.
 * After a round, the master is asked for the tablet's current locations, and the next round starts
 * after a delay. docs/design/client.md lists the next step after each kind of failure.
 *
 * <p>There is one attempt at a time, so the fields need no lock: each step happens after the
 * previous one.
 */
final class TabletRequest<R extends Message> {
  private static final long NO_SEQUENCE = -1;

  private final TabletCaller caller;
  private final RemoteTablet tablet;
  private final ReplicaChoice choice;
  private final TabletCall<R> call;
  private final Function<RemoteReplica, Message> request;
  private final Deadline deadline;
  private final RequestTrace trace;
  private final CompletableFuture<TabletReply<R>> result = new CompletableFuture<>();

  private Set<String> failedThisRound = Set.of();
  private long sequence = NO_SEQUENCE;

  TabletRequest(
      TabletCaller caller,
      RemoteTablet tablet,
      ReplicaChoice choice,
      TabletCall<R> call,
      Function<RemoteReplica, Message> request,
      Deadline deadline) {
    this.caller = caller;
    this.tablet = tablet;
    this.choice = choice;
    this.call = call;
    this.request = request;
    this.deadline = deadline;
    this.trace = new RequestTrace(call.method() + " to " + tablet.describe());
  }

  CompletableFuture<TabletReply<R>> begin() {
    caller.activity().began(call.method(), result);
    if (call.once()) {
      sequence = caller.requests().begin();
      result.whenComplete((reply, failure) -> caller.requests().end(sequence));
    }
    attempt();
    return result;
  }

  private void attempt() {
    guard(
        () -> {
          if (!result.isDone()) {
            step();
          }
        });
  }

  /**
   * Runs a part of the request. Nobody else would see its failure, such as a lack of memory for the
   * message, and the caller would wait for ever.
   */
  private void guard(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private void step() {
    if (deadline.hasPassed()) {
      result.completeExceptionally(trace.timedOut());
      return;
    }
    if (tablet.isGone()) {
      result.completeExceptionally(
          KuduException.notFound(
              "Tablet %s of table %s no longer exists; its range was dropped or replaced",
              tablet.tabletId(), tablet.table()));
      return;
    }
    RemoteReplica replica = caller.chooser().choose(tablet, choice, failedThisRound);
    if (replica == null) {
      nextRound();
    } else {
      send(replica);
    }
  }

  private void nextRound() {
    failedThisRound = Set.of();
    if (tablet.replicas().isEmpty()) {
      trace.failed(
          null,
          KuduException.serviceUnavailable(
              "The master reports no replica of tablet %s", tablet.tabletId()));
    }
    long wait = Backoff.SEARCHING.millis(trace.countWait());
    CompletableFuture<Void> refreshed = refresh();
    caller.timers().resume(() -> awaitRefresh(refreshed), nanos(wait), result);
  }

  private void awaitRefresh(CompletableFuture<Void> refreshed) {
    refreshed.whenComplete(
        (done, failure) -> {
          if (failure == null || Failures.isTimeout(failure)) {
            attempt(); // fails if the deadline has passed
          } else {
            result.completeExceptionally(Failures.unwrap(failure));
          }
        });
  }

  private CompletableFuture<Void> refresh() {
    return tablet.table().refresh(tablet, System.nanoTime(), deadline);
  }

  private void send(RemoteReplica replica) {
    int attempt = trace.trying(replica);
    if (attempt > 1) {
      caller.activity().triedAgain(call.method());
    }
    RpcCallOptions options =
        new RpcCallOptions(
            TabletCaller.timeoutMillis(deadline),
            call.features(),
            sequence == NO_SEQUENCE
                ? Optional.empty()
                : Optional.of(caller.requests().id(sequence, attempt)));
    caller
        .links()
        .tabletServer(replica)
        .call(call.method(), request.apply(replica), call.parser(), options, true)
        .whenComplete(
            (response, failure) ->
                guard(
                    () -> {
                      if (failure == null) {
                        answered(replica, response);
                      } else {
                        failed(replica, Failures.unwrap(failure));
                      }
                    }));
  }

  private void answered(RemoteReplica replica, RpcResponse<R> response) {
    TabletServerErrorPB error = call.error().apply(response.message());
    if (!error.hasCode()) {
      succeed(replica, response);
      return;
    }
    response.close();
    TabletServerFailure failure = TabletServerFailure.fromWire(error);
    switch (error.getCode()) {
      case TABLET_NOT_FOUND, WRONG_SERVER_UUID -> elsewhereAfterRefresh(replica, failure);
      case NOT_THE_LEADER, TABLET_NOT_RUNNING, TABLET_FAILED -> elsewhere(replica, failure);
      case THROTTLED -> later(replica, failure);
      default -> byStatus(replica, failure);
    }
  }

  private void byStatus(RemoteReplica replica, TabletServerFailure failure) {
    switch (failure.code()) {
      case ILLEGAL_STATE, ABORTED -> elsewhere(replica, failure);
      case SERVICE_UNAVAILABLE -> later(replica, failure);
      default -> result.completeExceptionally(failure);
    }
  }

  private void succeed(RemoteReplica replica, RpcResponse<R> response) {
    if (choice == ReplicaChoice.LEADER) {
      tablet.leading(replica);
    }
    if (!result.complete(new TabletReply<>(response, replica))) {
      response.close(); // the request has already ended
    }
  }

  private void failed(RemoteReplica replica, Throwable failure) {
    if (failure instanceof RpcException refused) {
      refused(replica, refused);
    } else if (Failures.isNetwork(failure)) {
      elsewhere(replica, failure);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private void refused(RemoteReplica replica, RpcException refused) {
    switch (refused.errorCode()) {
      case ERROR_SERVER_TOO_BUSY, ERROR_UNAVAILABLE -> later(replica, refused);
      case FATAL_SERVER_SHUTTING_DOWN -> elsewhere(replica, refused);
      default ->
          result.completeExceptionally(
              refused.unsupportedFeatures().isEmpty() ? refused : unsupported(replica, refused));
    }
  }

  private KuduException unsupported(RemoteReplica replica, RpcException refused) {
    return new KuduException(
        StatusCode.NOT_SUPPORTED,
        String.format(
            "Tablet server %s does not support the features that %s needs (%s); upgrade it",
            replica.hostPort(), call.method(), refused.unsupportedFeatures()),
        refused);
  }

  /** Tries another replica immediately, because this one cannot answer. */
  private void elsewhere(RemoteReplica replica, Throwable failure) {
    giveUpFor(replica, failure);
    attempt();
  }

  /**
   * Tries another replica after the master was asked for the tablet's locations: the cached
   * locations are outdated, because the server does not have the replica.
   */
  private void elsewhereAfterRefresh(RemoteReplica replica, Throwable failure) {
    giveUpFor(replica, failure);
    long wait = Backoff.SEARCHING.millis(trace.countWait());
    CompletableFuture<Void> refreshed = refresh();
    caller.timers().resume(() -> awaitRefresh(refreshed), nanos(wait), result);
  }

  private void giveUpFor(RemoteReplica replica, Throwable failure) {
    trace.failed(replica, failure);
    skipThisRound(replica);
    tablet.notLeading(replica);
  }

  private void skipThisRound(RemoteReplica replica) {
    if (failedThisRound.isEmpty()) {
      failedThisRound = new HashSet<>();
    }
    failedThisRound.add(replica.serverId());
  }

  /** Tries again after a delay, because this replica can answer, but not now. */
  private void later(RemoteReplica replica, Throwable failure) {
    trace.failed(replica, failure);
    if (choice != ReplicaChoice.LEADER) {
      skipThisRound(replica);
    }
    long wait = Backoff.BUSY.millis(trace.countWait());
    caller.timers().resume(this::attempt, nanos(wait), result);
  }

  /**
   * The delay in nanoseconds, but at most until the deadline, so that the request fails in time.
   */
  private long nanos(long millis) {
    return Math.min(TimeUnit.MILLISECONDS.toNanos(millis), deadline.nanosLeft());
  }
}
