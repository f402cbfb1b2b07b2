package dev.kudu4j.tserver.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.ConsensusView;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one master has still to hear: the tablets that changed, or grew or shrank, since the report
 * it acknowledged last. A tablet that changes while a report is under way is reported again. Not
 * thread-safe but for {@link #changed}.
 */
final class TabletReports {
  private final TabletRegistry tablets;
  private final Set<String> changed = new HashSet<>();
  private Set<String> underWay = Set.of();
  private final Map<String, Size> heard = new ConcurrentHashMap<>();
  private boolean full = true;
  private long sequence;

  /** What statistics of a table are summed from. */
  private record Size(long onDiskBytes, long liveRows) {
    static Size of(TabletStatistics statistics) {
      return new Size(statistics.onDiskBytes(), statistics.liveRows());
    }
  }

  TabletReports(TabletRegistry tablets) {
    this.tablets = tablets;
  }

  synchronized void changed(String tabletId) {
    changed.add(tabletId);
  }

  /** The next report must name every tablet. */
  synchronized void wantFull() {
    full = true;
  }

  /** The next report; until {@link #acknowledged} its content counts as not heard. */
  TabletReportPB next() {
    boolean everything;
    List<String> resized = resized();
    synchronized (this) {
      changed.addAll(resized);
      changed.addAll(underWay);
      everything = full;
      underWay = Set.copyOf(changed);
      changed.clear();
    }
    TabletReportPB.Builder report =
        TabletReportPB.newBuilder().setIncremental(!everything).setSequence(sequence++);
    if (everything) {
      tablets.all().forEach(hosted -> report.addUpdated(describe(hosted)));
    } else {
      for (String tabletId : underWay) {
        HostedTablet hosted = tablets.find(tabletId);
        if (hosted != null) {
          report.addUpdated(describe(hosted));
        } else {
          report.addRemovedTabletIds(ByteString.copyFromUtf8(tabletId));
        }
      }
    }
    return report.build();
  }

  synchronized void acknowledged(TabletReportPB report) {
    underWay = Set.of();
    for (ReportedTabletPB tablet : report.getUpdatedList()) {
      if (tablet.hasLiveRowCount()) {
        heard.put(
            tablet.getTabletId().toStringUtf8(),
            new Size(tablet.getOnDiskSize(), tablet.getLiveRowCount()));
      }
    }
    heard.keySet().removeIf(tabletId -> tablets.find(tabletId) == null);
    if (!report.getIncremental()) {
      full = false;
    }
  }

  /**
   * Tablets whose size is another than the master heard last: writes change it without a word of
   * their own.
   */
  private List<String> resized() {
    List<String> resized = new ArrayList<>();
    for (HostedTablet hosted : tablets.all()) {
      if (hosted.isOpen()
          && !Size.of(hosted.tablet().statistics()).equals(heard.get(hosted.tabletId()))) {
        resized.add(hosted.tabletId());
      }
    }
    return resized;
  }

  private static ReportedTabletPB describe(HostedTablet hosted) {
    ReportedTabletPB.Builder reported =
        ReportedTabletPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(hosted.tabletId()))
            .setState(hosted.state())
            .setDataState(TabletDataState.TABLET_DATA_READY);
    Throwable cause = hosted.cause();
    if (cause != null) {
      KuduException known =
          cause instanceof KuduException kudu
              ? kudu
              : new KuduException(StatusCode.IO_ERROR, String.valueOf(cause.getMessage()), cause);
      reported.setError(StatusWire.toWire(known));
    }
    if (hosted.isOpen()) {
      TabletStatistics statistics = hosted.tablet().statistics();
      reported
          .setConsensusState(consensus(hosted.replica().consensus()))
          .setSchemaVersion(hosted.tablet().descriptor().schemaVersion())
          .setOnDiskSize(statistics.onDiskBytes())
          .setLiveRowCount(statistics.liveRows());
    }
    return reported.build();
  }

  private static ConsensusStatePB consensus(ConsensusView view) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder().setOpidIndex(view.configurationIndex());
    for (ConsensusView.Member member : view.members()) {
      config.addPeers(
          RaftPeerPB.newBuilder()
              .setPermanentUuid(ByteString.copyFromUtf8(member.serverUuid()))
              .setMemberType(
                  member.voter() ? RaftPeerPB.MemberType.VOTER : RaftPeerPB.MemberType.NON_VOTER));
    }
    return ConsensusStatePB.newBuilder()
        .setCurrentTerm(view.term())
        .setLeaderUuid(view.leaderUuid())
        .setCommittedConfig(config)
        .build();
  }
}
