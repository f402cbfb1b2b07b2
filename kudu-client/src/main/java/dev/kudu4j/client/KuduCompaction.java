package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB.SizesPB;
import dev.kudu4j.common.wire.StatusWire;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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
  private static final TabletCall<CompactTabletResponsePB> COMPACT =
      new TabletCall<>(
          "kudu.tserver.TabletServerAdminService",
          "CompactTablet",
          CompactTabletResponsePB.parser(),
          CompactTabletResponsePB::getError,
          List.of(),
          false);

  private static final ReplicaCompaction.Layout UNKNOWN = new ReplicaCompaction.Layout(0, 0, 0, 0);

  private final Work work;

  private static final class Work extends ReplicaWork<CompactTabletResponsePB, ReplicaCompaction> {
    Work(Cluster cluster, Collection<RemoteTablet> tablets) {
      super(
          cluster, tablets, COMPACT, KuduCompaction::initial, "the compaction", "compact a tablet");
    }

    @Override
    Message request(String serverId, String tabletId, boolean onlyAsk) {
      return CompactTabletRequestPB.newBuilder()
          .setDestUuid(ByteString.copyFromUtf8(serverId))
          .setTabletId(ByteString.copyFromUtf8(tabletId))
          .setOnlyAsk(onlyAsk)
          .build();
    }

    @Override
    boolean hasEnded(ReplicaCompaction state) {
      return state.ended();
    }

    @Override
    ReplicaCompaction failed(ReplicaCompaction known, String reason) {
      return KuduCompaction.failed(known, reason);
    }

    @Override
    dev.kudu4j.common.status.KuduException failure(CompactTabletResponsePB response) {
      return response.getState() == CompactTabletResponsePB.State.FAILED
          ? StatusWire.fromWire(response.getFailure())
          : null;
    }

    @Override
    boolean isInterruption(dev.kudu4j.common.status.KuduException failure) {
      return Failures.isTransient(failure); // the server stops
    }

    @Override
    ReplicaCompaction updated(
        ReplicaCompaction known, CompactTabletResponsePB response, boolean resumed) {
      ReplicaCompaction.Layout before = resumed ? known.before() : layout(response.getBefore());
      return KuduCompaction.updated(known, before, response);
    }
  }

  KuduCompaction(Cluster cluster, Collection<RemoteTablet> tablets) {
    this.work = new Work(cluster, tablets);
  }

  private static ReplicaCompaction initial(String tabletId, String server) {
    return new ReplicaCompaction(tabletId, server, false, Optional.empty(), 0, UNKNOWN, UNKNOWN);
  }

  /** The replicas, in the order of their tablets' partitions, as of the last {@link #poll}. */
  public List<ReplicaCompaction> replicas() {
    return work.states();
  }

  /**
   * Requests the compactions, or asks how far they are. A server that refuses, or has failed for a
   * minute, ends the compaction of its replica, whose {@code failure} is the reason.
   *
   * @return whether all have ended
   */
  public boolean poll() throws KuduException {
    return work.poll();
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
