package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.cluster.VerifyIndexesRequestPB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB.DifferencePB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A comparison of the indexes of all replicas of a table with the rows, that a superuser has
 * requested. Each server works on one replica at a time. It ends the work a minute after the last
 * {@link #poll}. Indexes of rows in memory are not compared.
 *
 * <p>If a server does not answer, restarts or is too busy, this client repeats the request for a
 * minute. A verification that a restart has interrupted begins again, twice at most.
 *
 * <pre>{@code
 * KuduIndexVerification verification = table.verifyIndexes();
 * while (!verification.poll()) {
 *   Thread.sleep(200);
 * }
 * }</pre>
 *
 * <p>Apache Kudu's servers cannot be asked; each replica then fails with NOT_SUPPORTED. Not
 * thread-safe.
 */
public final class KuduIndexVerification {
  private static final long CALL_MILLIS = 30_000;
  private static final int MAX_INTERRUPTIONS = 3;

  private static final TabletCall<VerifyIndexesResponsePB> VERIFY =
      new TabletCall<>(
          "kudu.tserver.TabletServerAdminService",
          "VerifyIndexes",
          VerifyIndexesResponsePB.parser(),
          VerifyIndexesResponsePB::getError,
          List.of(),
          false);

  private final Cluster cluster;
  private final String index;
  private final List<Request> requests = new ArrayList<>();

  /** The state of the request to one replica. */
  private static final class Request {
    private final RemoteReplica replica;
    private final TransientFailures failures = new TransientFailures();
    private boolean begun;
    private int interruptions; // after it had begun
    private ReplicaVerification state;

    Request(RemoteTablet tablet, RemoteReplica replica) {
      this.replica = replica;
      this.state =
          new ReplicaVerification(
              tablet.tabletId(),
              replica.host() + ":" + replica.port(),
              false,
              Optional.empty(),
              0,
              0,
              0,
              0,
              0,
              0,
              0,
              List.of());
    }
  }

  /**
   * @param index name; empty for all indexes
   */
  KuduIndexVerification(Cluster cluster, Collection<RemoteTablet> tablets, String index) {
    this.cluster = cluster;
    this.index = index;
    for (RemoteTablet tablet : tablets) {
      tablet.replicas().forEach(replica -> requests.add(new Request(tablet, replica)));
    }
  }

  /** The replicas, in the order of their tablets' partitions, as of the last {@link #poll}. */
  public List<ReplicaVerification> replicas() {
    return requests.stream().map(request -> request.state).toList();
  }

  /**
   * Requests the verifications, or asks how far they are. A server that refuses, or has failed for
   * a minute, ends the verification of its replica, whose {@code failure} is the reason.
   *
   * @return whether all have ended
   */
  public boolean poll() throws KuduException {
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    long now = System.nanoTime();
    for (Request request : requests) {
      if (!request.state.ended() && request.failures.isDue(now)) {
        calls.add(ask(request));
      }
    }
    for (CompletableFuture<Void> call : calls) {
      KuduClient.join(call);
    }
    return requests.stream().allMatch(request -> request.state.ended());
  }

  private CompletableFuture<Void> ask(Request request) {
    VerifyIndexesRequestPB.Builder message =
        VerifyIndexesRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(request.replica.serverId()))
            .setTabletId(ByteString.copyFromUtf8(request.state.tabletId()))
            .setOnlyAsk(request.begun);
    if (!index.isEmpty()) {
      message.setIndex(index);
    }
    return cluster
        .callOnce(request.replica, VERIFY, message.build(), Deadline.after(CALL_MILLIS), true)
        .handle(
            (reply, failure) -> {
              if (failure != null) {
                failed(request, Failures.unwrap(failure));
              } else {
                answered(request, reply.response().message());
                reply.response().close();
              }
              return null;
            });
  }

  private static void answered(Request request, VerifyIndexesResponsePB response) {
    if (response.getState() == VerifyIndexesResponsePB.State.FAILED) {
      var failure = StatusWire.fromWire(response.getFailure());
      boolean abandoned = failure.code() == StatusCode.ABORTED; // this client did not ask for long
      if (abandoned || Failures.isTransient(failure)) {
        interrupted(request, failure);
        repeat(request, failure);
        return;
      }
    }
    request.failures.answered();
    request.begun = true;
    request.state = updated(request.state, response);
  }

  private static void failed(Request request, Throwable failure) {
    if (request.begun && ServerRefusals.isNotFound(failure)) {
      interrupted(request, failure); // a server that has no such replica refuses the next request
    } else if (Failures.isTransient(failure)) {
      repeat(request, failure);
    } else {
      request.state = failed(request.state, reason(failure));
    }
  }

  /** The server has forgotten the request, or given it up; the next poll repeats it. */
  private static void interrupted(Request request, Throwable failure) {
    if (request.begun && ++request.interruptions == MAX_INTERRUPTIONS) {
      request.state =
          failed(
              request.state,
              StatusCode.ABORTED.prefix()
                  + ": the verification was interrupted "
                  + MAX_INTERRUPTIONS
                  + " times, the last time because of: "
                  + reason(failure));
    }
    request.begun = false;
  }

  /** The next poll that is due repeats the request, unless the server has failed too long. */
  private static void repeat(Request request, Throwable failure) {
    if (!request.state.ended() && !request.failures.failed(System.nanoTime())) {
      request.state =
          failed(
              request.state,
              reason(failure) + "; repeated for " + TransientFailures.PATIENCE_SECONDS + " s");
    }
  }

  private static String reason(Throwable failure) {
    return ServerRefusals.reason(failure, "verify indexes");
  }

  private static ReplicaVerification failed(ReplicaVerification known, String reason) {
    return new ReplicaVerification(
        known.tabletId(),
        known.server(),
        true,
        Optional.of(reason),
        known.millis(),
        known.percent(),
        known.files(),
        known.comparedFiles(),
        known.missingFiles(),
        known.comparedEntries(),
        known.differenceCount(),
        known.differences());
  }

  private static ReplicaVerification updated(
      ReplicaVerification known, VerifyIndexesResponsePB response) {
    ReplicaVerification state =
        new ReplicaVerification(
            known.tabletId(),
            known.server(),
            response.getState() == VerifyIndexesResponsePB.State.DONE,
            Optional.empty(),
            response.getMillis(),
            response.getPercent(),
            response.getFiles(),
            response.getComparedFiles(),
            response.getMissingFiles(),
            response.getComparedEntries(),
            response.getDifferenceCount(),
            response.getDifferencesList().stream().map(KuduIndexVerification::fromWire).toList());
    return switch (response.getState()) {
      case WAITING, RUNNING, DONE -> state;
      case FAILED -> failed(state, StatusWire.fromWire(response.getFailure()).describe());
      case UNKNOWN -> failed(state, "the response of the server has no state");
    };
  }

  private static ReplicaVerification.Difference fromWire(DifferencePB difference) {
    return new ReplicaVerification.Difference(
        difference.getIndex(),
        difference.getRowsetId(),
        difference.hasOrdinal() ? OptionalLong.of(difference.getOrdinal()) : OptionalLong.empty(),
        difference.getText());
  }
}
