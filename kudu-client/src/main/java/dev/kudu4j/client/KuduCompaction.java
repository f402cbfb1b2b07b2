package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB.SizesPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A flush and compaction of all replicas of a table, or of some of its tablets, that a superuser
 * has requested. The servers work on one requested replica at a time, when no maintenance of their
 * own runs on it, until there is nothing to gain; they do so whether or not this client asks.
 *
 * <p>If a server does not answer, restarts or is too busy, this client repeats the request for a
 * minute. A compaction that a restart has interrupted is requested again, twice at most.
 *
 * <pre>{@code
 * KuduCompaction compaction = table.compact();
 * while (!compaction.poll()) {
 *   Thread.sleep(200);
 * }
 * }</pre>
 *
 * <p>Apache Kudu's servers cannot be asked; each replica then fails with NOT_SUPPORTED. Not
 * thread-safe.
 */
public final class KuduCompaction {
  private static final long CALL_MILLIS = 30_000;

  /** A compaction may be the reason why a server restarts. */
  private static final int MAX_INTERRUPTIONS = 3;

  private static final TabletCall<CompactTabletResponsePB> COMPACT =
      new TabletCall<>(
          "kudu.tserver.TabletServerAdminService",
          "CompactTablet",
          CompactTabletResponsePB.parser(),
          CompactTabletResponsePB::getError,
          List.of(),
          false);

  private static final ReplicaCompaction.Layout UNKNOWN = new ReplicaCompaction.Layout(0, 0, 0, 0);

  private final Cluster cluster;
  private final List<Request> requests = new ArrayList<>();

  /** The state of the request to one replica. */
  private static final class Request {
    private final RemoteReplica replica;
    private final TransientFailures failures = new TransientFailures();
    private boolean begun;
    private int interruptions; // after it had begun
    private ReplicaCompaction state;

    Request(RemoteTablet tablet, RemoteReplica replica) {
      this.replica = replica;
      this.state =
          new ReplicaCompaction(
              tablet.tabletId(),
              replica.host() + ":" + replica.port(),
              false,
              Optional.empty(),
              0,
              UNKNOWN,
              UNKNOWN);
    }
  }

  KuduCompaction(Cluster cluster, Collection<RemoteTablet> tablets) {
    this.cluster = cluster;
    for (RemoteTablet tablet : tablets) {
      tablet.replicas().forEach(replica -> requests.add(new Request(tablet, replica)));
    }
  }

  /** The replicas, in the order of their tablets' partitions, as of the last {@link #poll}. */
  public List<ReplicaCompaction> replicas() {
    return requests.stream().map(request -> request.state).toList();
  }

  /**
   * Requests the compactions, or asks how far they are. A server that refuses, or has failed for a
   * minute, ends the compaction of its replica, whose {@code failure} is the reason.
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
    CompactTabletRequestPB message =
        CompactTabletRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(request.replica.serverId()))
            .setTabletId(ByteString.copyFromUtf8(request.state.tabletId()))
            .setOnlyAsk(request.begun)
            .build();
    return cluster
        .callOnce(request.replica, COMPACT, message, Deadline.after(CALL_MILLIS), true)
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

  private static void answered(Request request, CompactTabletResponsePB response) {
    if (response.getState() == CompactTabletResponsePB.State.FAILED) {
      var failure = StatusWire.fromWire(response.getFailure());
      if (Failures.isTransient(failure)) { // the server stops
        interrupted(request);
        repeat(request, failure);
        return;
      }
    }
    request.failures.answered();
    request.begun = true;
    ReplicaCompaction.Layout before =
        request.interruptions > 0 ? request.state.before() : layout(response.getBefore());
    request.state = updated(request.state, before, response);
  }

  private static void failed(Request request, Throwable failure) {
    if (request.begun && ServerRefusals.isNotFound(failure)) {
      interrupted(request); // a server that has no such replica refuses the next request
    } else if (Failures.isTransient(failure)) {
      repeat(request, failure);
    } else {
      request.state = failed(request.state, reason(failure));
    }
  }

  /** The server has forgotten the request; the next poll repeats it. */
  private static void interrupted(Request request) {
    if (request.begun && ++request.interruptions == MAX_INTERRUPTIONS) {
      request.state =
          failed(
              request.state,
              StatusCode.ABORTED.prefix()
                  + ": the server restarted "
                  + MAX_INTERRUPTIONS
                  + " times during the compaction");
    }
    request.begun = false;
  }

  /** The next poll that is due repeats the request, unless the server has failed too long. */
  private static void repeat(Request request, Throwable failure) {
    if (!request.failures.failed(System.nanoTime())) {
      request.state =
          failed(
              request.state,
              reason(failure) + "; repeated for " + TransientFailures.PATIENCE_SECONDS + " s");
    }
  }

  private static String reason(Throwable failure) {
    return ServerRefusals.reason(failure, "compact a tablet");
  }

  private static ReplicaCompaction failed(ReplicaCompaction known, String reason) {
    return new ReplicaCompaction(
        known.tabletId(),
        known.server(),
        true,
        Optional.of(reason),
        known.millis(),
        known.before(),
        known.now());
  }

  private static ReplicaCompaction updated(
      ReplicaCompaction known, ReplicaCompaction.Layout before, CompactTabletResponsePB response) {
    ReplicaCompaction state =
        new ReplicaCompaction(
            known.tabletId(),
            known.server(),
            response.getState() == CompactTabletResponsePB.State.DONE,
            Optional.empty(),
            response.getMillis(),
            before,
            layout(response.getNow()));
    return switch (response.getState()) {
      case WAITING, RUNNING, DONE -> state;
      case FAILED -> failed(state, StatusWire.fromWire(response.getFailure()).describe());
      case UNKNOWN -> failed(state, "the response of the server has no state");
    };
  }

  private static ReplicaCompaction.Layout layout(SizesPB sizes) {
    return new ReplicaCompaction.Layout(
        sizes.getRowsets(), sizes.getDeltaFiles(), sizes.getDiskBytes(), sizes.getMemoryBytes());
  }
}
