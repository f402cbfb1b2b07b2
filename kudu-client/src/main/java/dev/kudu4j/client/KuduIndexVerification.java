package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.cluster.VerifyIndexesRequestPB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB.DifferencePB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
  private static final TabletCall<VerifyIndexesResponsePB> VERIFY =
      new TabletCall<>(
          "kudu.tserver.TabletServerAdminService",
          "VerifyIndexes",
          VerifyIndexesResponsePB.parser(),
          VerifyIndexesResponsePB::getError,
          List.of(),
          false);

  private final Work work;

  private static final class Work
      extends ReplicaWork<VerifyIndexesResponsePB, ReplicaVerification> {
    private final String index;

    Work(Cluster cluster, Collection<RemoteTablet> tablets, String index) {
      super(
          cluster,
          tablets,
          VERIFY,
          KuduIndexVerification::initial,
          "the verification",
          "verify indexes");
      this.index = index;
    }

    @Override
    Message request(String serverId, String tabletId, boolean onlyAsk) {
      VerifyIndexesRequestPB.Builder message =
          VerifyIndexesRequestPB.newBuilder()
              .setDestUuid(ByteString.copyFromUtf8(serverId))
              .setTabletId(ByteString.copyFromUtf8(tabletId))
              .setOnlyAsk(onlyAsk);
      if (!index.isEmpty()) {
        message.setIndex(index);
      }
      return message.build();
    }

    @Override
    boolean hasEnded(ReplicaVerification state) {
      return state.ended();
    }

    @Override
    ReplicaVerification failed(ReplicaVerification known, String reason) {
      return KuduIndexVerification.failed(known, reason);
    }

    @Override
    dev.kudu4j.common.status.KuduException failure(VerifyIndexesResponsePB response) {
      return response.getState() == VerifyIndexesResponsePB.State.FAILED
          ? StatusWire.fromWire(response.getFailure())
          : null;
    }

    @Override
    boolean isInterruption(dev.kudu4j.common.status.KuduException failure) {
      // ABORTED: this client did not ask for long.
      return failure.code() == StatusCode.ABORTED || Failures.isTransient(failure);
    }

    @Override
    ReplicaVerification updated(
        ReplicaVerification known, VerifyIndexesResponsePB response, boolean resumed) {
      return KuduIndexVerification.updated(known, response);
    }
  }

  /**
   * @param index name; empty for all indexes
   */
  KuduIndexVerification(Cluster cluster, Collection<RemoteTablet> tablets, String index) {
    this.work = new Work(cluster, tablets, index);
  }

  private static ReplicaVerification initial(String tabletId, String server) {
    return new ReplicaVerification(
        tabletId, server, false, Optional.empty(), 0, 0, 0, 0, 0, 0, 0, List.of());
  }

  /** The replicas, in the order of their tablets' partitions, as of the last {@link #poll}. */
  public List<ReplicaVerification> replicas() {
    return work.states();
  }

  /**
   * Requests the verifications, or asks how far they are. A server that refuses, or has failed for
   * a minute, ends the verification of its replica, whose {@code failure} is the reason.
   *
   * @return whether all have ended
   */
  public boolean poll() throws KuduException {
    return work.poll();
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
