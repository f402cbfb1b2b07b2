package dev.kudu4j.client;

import com.google.protobuf.Message;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Work on all replicas of some tablets, which servers begin on request and report on when they are
 * asked again. If a server does not answer, restarts or is too busy, the request is repeated for a
 * minute. Work that was interrupted begins again, twice at most. Not thread-safe.
 *
 * @param <P> the response of a server
 * @param <S> what is known of one replica
 */
abstract class ReplicaWork<P extends Message, S> {
  private static final long CALL_MILLIS = 30_000;

  /** The work may be the reason why a server restarts. */
  private static final int MAX_INTERRUPTIONS = 3;

  private final Cluster cluster;
  private final TabletCall<P> call;
  private final String name;
  private final String refused;
  private final List<Request<S>> requests = new ArrayList<>();

  /** The state of the request to one replica. */
  private static final class Request<S> {
    private final String tabletId;
    private final RemoteReplica replica;
    private final TransientFailures failures = new TransientFailures();
    private boolean begun;
    private int interruptions; // after it had begun
    private S state;

    Request(String tabletId, RemoteReplica replica, S state) {
      this.tabletId = tabletId;
      this.replica = replica;
      this.state = state;
    }
  }

  /**
   * @param name the work, for messages: "the compaction"
   * @param initial the state of a replica before the first answer, by tablet and server
   * @param refused what a server cannot do if it does not know the call: "compact a tablet"
   */
  ReplicaWork(
      Cluster cluster,
      Collection<RemoteTablet> tablets,
      TabletCall<P> call,
      BiFunction<String, String, S> initial,
      String name,
      String refused) {
    this.cluster = cluster;
    this.call = call;
    this.name = name;
    this.refused = refused;
    for (RemoteTablet tablet : tablets) {
      for (RemoteReplica replica : tablet.replicas()) {
        S state = initial.apply(tablet.tabletId(), replica.host() + ":" + replica.port());
        requests.add(new Request<>(tablet.tabletId(), replica, state));
      }
    }
  }

  /**
   * The request to a replica.
   *
   * @param onlyAsk whether the work has begun
   */
  abstract Message request(String serverId, String tabletId, boolean onlyAsk);

  abstract boolean hasEnded(S state);

  /** The state of a replica whose work has failed. */
  abstract S failed(S known, String reason);

  /** The failure that the server reports; null if the work has not failed. */
  abstract dev.kudu4j.common.status.KuduException failure(P response);

  /** Whether work that failed in this way can be begun again. */
  abstract boolean isInterruption(dev.kudu4j.common.status.KuduException failure);

  /**
   * The state after an answer.
   *
   * @param resumed whether the work has begun again after an interruption
   */
  abstract S updated(S known, P response, boolean resumed);

  /** The replicas, in the order of their tablets' partitions, as of the last {@link #poll}. */
  final List<S> states() {
    return requests.stream().map(request -> request.state).toList();
  }

  /**
   * Requests the work, or asks how far it is.
   *
   * @return whether all has ended
   */
  final boolean poll() throws KuduException {
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    long now = System.nanoTime();
    for (Request<S> request : requests) {
      if (!hasEnded(request.state) && request.failures.isDue(now)) {
        calls.add(ask(request));
      }
    }
    for (CompletableFuture<Void> pending : calls) {
      KuduClient.join(pending);
    }
    return requests.stream().allMatch(request -> hasEnded(request.state));
  }

  private CompletableFuture<Void> ask(Request<S> request) {
    Message message = request(request.replica.serverId(), request.tabletId, request.begun);
    return cluster
        .callOnce(request.replica, call, message, Deadline.after(CALL_MILLIS), true)
        .handle(
            (reply, failure) -> {
              if (failure != null) {
                notAnswered(request, Failures.unwrap(failure));
              } else {
                answered(request, reply.response().message());
                reply.response().close();
              }
              return null;
            });
  }

  private void answered(Request<S> request, P response) {
    dev.kudu4j.common.status.KuduException failure = failure(response);
    if (failure != null && isInterruption(failure)) {
      interrupted(request, failure);
      repeat(request, failure);
      return;
    }
    request.failures.answered();
    request.begun = true;
    request.state = updated(request.state, response, request.interruptions > 0);
  }

  private void notAnswered(Request<S> request, Throwable failure) {
    if (request.begun && ServerRefusals.isNotFound(failure)) {
      interrupted(request, failure); // a server that has no such replica refuses the next request
    } else if (Failures.isTransient(failure)) {
      repeat(request, failure);
    } else {
      request.state = failed(request.state, reason(failure));
    }
  }

  /** The server has forgotten the request, or given it up; the next poll repeats it. */
  private void interrupted(Request<S> request, Throwable failure) {
    if (request.begun && ++request.interruptions == MAX_INTERRUPTIONS) {
      request.state =
          failed(
              request.state,
              "%s: %s was interrupted %d times, the last time because of: %s"
                  .formatted(
                      StatusCode.ABORTED.prefix(), name, MAX_INTERRUPTIONS, reason(failure)));
    }
    request.begun = false;
  }

  /** The next poll that is due repeats the request, unless the server has failed too long. */
  private void repeat(Request<S> request, Throwable failure) {
    if (!hasEnded(request.state) && !request.failures.failed(System.nanoTime())) {
      request.state =
          failed(
              request.state,
              reason(failure) + "; repeated for " + TransientFailures.PATIENCE_SECONDS + " s");
    }
  }

  private String reason(Throwable failure) {
    return ServerRefusals.reason(failure, refused);
  }
}
