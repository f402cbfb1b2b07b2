package dev.kudu4j.tserver.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.rpc.ConsensusWire;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tserver.tablets.ClaimProgress;
import dev.kudu4j.tserver.tablets.Derivation;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.Optional;

/**
 * Describes one replica for a master: in heartbeats, and in the responses to the master's requests.
 */
public final class ReplicaReport {
  /** Values may be long. */
  private static final int MAX_TEXT = 1000;

  private ReplicaReport() {}

  /** The report of the replica's current state. */
  public static ReportedTabletPB of(HostedTablet hosted) {
    ReportedTabletPB.Builder reported =
        ReportedTabletPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(hosted.tabletId()))
            .setState(hosted.state())
            .setDataState(hosted.dataState());
    Throwable cause = hosted.cause();
    if (cause != null) {
      KuduException known =
          cause instanceof KuduException kudu
              ? kudu
              : new KuduException(StatusCode.IO_ERROR, String.valueOf(cause.getMessage()), cause);
      reported.setError(StatusWire.toWire(known));
    }
    if (hosted.isOpen()) {
      TabletStatistics statistics = hosted.statistics();
      reported
          .setConsensusState(
              ConsensusWire.toWire(hosted.replica().consensus(), true, ReplicaReport::rpcAddress))
          .setSchemaVersion(hosted.tablet().descriptor().schemaVersion())
          .setOnDiskSize(hosted.onDiskBytes())
          .setLiveRowCount(statistics.liveRows());
      statistics.indexes().forEach(index -> reported.addIndexes(toWire(index)));
      derived(hosted, statistics.liveRows()).ifPresent(reported::addIndexes);
      hosted.claims().forEach(claims -> reported.addIndexes(toWire(claims)));
    }
    return reported.build();
  }

  /**
   * The progress of a derived tablet, which is the index: that of one rowset. Empty for other
   * tablets.
   */
  private static Optional<IndexProgressPB> derived(HostedTablet hosted, long rows) {
    Derivation derivation = hosted.derivation();
    if (derivation == null) {
      return Optional.empty();
    }
    boolean built = hosted.isBuilt();
    IndexProgressPB.Builder progress =
        IndexProgressPB.newBuilder()
            .setIndexId(derivation.index().id())
            .setRowsets(1)
            .setBuiltRowsets(built ? 1 : 0)
            .setRows(rows)
            .setBuiltRows(built ? rows : 0)
            .setStale(hosted.isStale());
    String incomplete = hosted.incomplete();
    if (incomplete != null) {
      progress.setFailure(incomplete);
    }
    return Optional.of(progress.build());
  }

  /** The progress of a leader, which claims the values of a tablet: that of one rowset. */
  private static IndexProgressPB toWire(ClaimProgress claims) {
    IndexProgressPB.Builder progress =
        IndexProgressPB.newBuilder()
            .setIndexId(claims.indexId())
            .setRowsets(1)
            .setBuiltRowsets(claims.finished() ? 1 : 0)
            .setRows(Math.max(claims.rows(), claims.claimedRows()))
            .setBuiltRows(claims.claimedRows());
    if (claims.finished()) {
      progress.setCheckedAt(Uniqueness.ENFORCED.number());
    }
    if (!claims.duplicates().isEmpty()) {
      progress.setDuplicates(shortened(claims.duplicates()));
    }
    return progress.build();
  }

  private static IndexProgressPB toWire(IndexProgress index) {
    IndexProgressPB.Builder progress =
        IndexProgressPB.newBuilder()
            .setIndexId(index.indexId())
            .setRowsets(index.rowSets())
            .setBuiltRowsets(index.builtRowSets())
            .setRows(index.rows())
            .setBuiltRows(index.builtRows());
    if (index.checkedAt().isWanted()) {
      progress.setCheckedAt(index.checkedAt().number());
    }
    if (!index.duplicates().isEmpty()) {
      progress.setDuplicates(shortened(index.duplicates()));
    }
    return progress.build();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  /** The report of a replica that {@link #of} cannot describe: the replica counts as failed. */
  static ReportedTabletPB failed(HostedTablet hosted, RuntimeException failure) {
    return ReportedTabletPB.newBuilder()
        .setTabletId(ByteString.copyFromUtf8(hosted.tabletId()))
        .setState(TabletStatePB.FAILED)
        .setDataState(hosted.dataState())
        .setError(StatusWire.toWire(StatusCode.RUNTIME_ERROR, String.valueOf(failure.getMessage())))
        .build();
  }

  private static Optional<HostPort> rpcAddress(ConsensusView.Member member) {
    return Optional.ofNullable(member.rpcAddress()).flatMap(HostPort::recorded);
  }
}
