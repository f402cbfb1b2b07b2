package dev.kudu4j.tserver.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What one master has still to hear: the ids of tablets that changed since the report it
 * acknowledged last, and those whose size is no longer what was reported. A tablet that changes
 * while a report is under way is reported again. Not thread-safe but for {@link #changed}.
 */
final class TabletReports {
  private final TabletRegistry tablets;
  private final Set<String> changed = new HashSet<>();
  private Set<String> underWay = Set.of();
  private final Map<String, TabletStatistics> reported = new HashMap<>();
  private boolean full = true;
  private long sequence;

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
    noteSizes();
    boolean everything;
    synchronized (this) {
      changed.addAll(underWay);
      everything = full;
      underWay = Set.copyOf(changed);
      changed.clear();
    }
    TabletReportPB.Builder report =
        TabletReportPB.newBuilder().setIncremental(!everything).setSequence(sequence++);
    if (everything) {
      tablets.all().forEach(hosted -> report.addUpdated(ReplicaReport.of(hosted)));
    } else {
      for (String tabletId : underWay) {
        HostedTablet hosted = tablets.find(tabletId);
        if (hosted != null) {
          report.addUpdated(ReplicaReport.of(hosted));
        } else {
          report.addRemovedTabletIds(ByteString.copyFromUtf8(tabletId));
        }
      }
    }
    return report.build();
  }

  /** Rows and bytes change with every write; a heartbeat says so at most once. */
  private void noteSizes() {
    for (HostedTablet hosted : tablets.all()) {
      if (hosted.isOpen()) {
        TabletStatistics now = hosted.statistics();
        TabletStatistics before = reported.put(hosted.tabletId(), now);
        if (before == null
            || before.liveRows() != now.liveRows()
            || before.onDiskBytes() != now.onDiskBytes()) {
          changed(hosted.tabletId());
        }
      }
    }
    reported.keySet().removeIf(tabletId -> tablets.find(tabletId) == null);
  }

  synchronized void acknowledged(TabletReportPB report) {
    underWay = Set.of();
    if (!report.getIncremental()) {
      full = false;
    }
  }
}
