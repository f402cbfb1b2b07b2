package dev.kudu4j.tserver.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one master has still to hear: the ids of tablets that changed since the report it
 * acknowledged last, and those whose size is no longer what was reported. A tablet that changes
 * while a report is under way is reported again. Not thread-safe but for {@link #changed}.
 */
final class TabletReports {
  private static final Logger log = LoggerFactory.getLogger(TabletReports.class);

  private final TabletRegistry tablets;
  private final Set<String> changed = new HashSet<>();
  private Set<String> underWay = Set.of();

  /** What the masters are told of a tablet's size. */
  private record Size(long liveRows, long onDiskBytes) {}

  private final Map<String, Size> reported = new HashMap<>();
  private final Map<String, String> problems = new TreeMap<>();
  private final RateLimitedLog limited = new RateLimitedLog(log);
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
      tablets.all().forEach(hosted -> report.addUpdated(report(hosted)));
    } else {
      for (String tabletId : underWay) {
        HostedTablet hosted = tablets.find(tabletId);
        if (hosted != null) {
          report.addUpdated(report(hosted));
        } else {
          report.addRemovedTabletIds(ByteString.copyFromUtf8(tabletId));
          problems.remove(tabletId);
        }
      }
    }
    return report.build();
  }

  /** One replica that cannot be described keeps nothing from the others. It is tried again. */
  private ReportedTabletPB report(HostedTablet hosted) {
    try {
      ReportedTabletPB report = ReplicaReport.of(hosted);
      problems.remove(hosted.tabletId());
      return report;
    } catch (RuntimeException e) {
      if (problems.put(hosted.tabletId(), String.valueOf(e.getMessage())) == null) {
        limited.warn("Tablet {} cannot be reported as it is", hosted.tabletId(), e);
      }
      changed(hosted.tabletId());
      return ReplicaReport.failed(hosted, e);
    }
  }

  /** Which replicas cannot be described, in words; empty when all can. */
  String problem() {
    return problems.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "%d replicas cannot be described; tablet %s: %s"
                    .formatted(problems.size(), first.getKey(), first.getValue()))
        .orElse("");
  }

  /** Rows and bytes change with every write; a heartbeat says so at most once. */
  private void noteSizes() {
    for (HostedTablet hosted : tablets.all()) {
      if (hosted.isOpen()) {
        noteSize(hosted);
      }
    }
    reported.keySet().removeIf(tabletId -> tablets.find(tabletId) == null);
  }

  private void noteSize(HostedTablet hosted) {
    Size now;
    try {
      now = new Size(hosted.statistics().liveRows(), hosted.onDiskBytes());
    } catch (RuntimeException e) {
      changed(hosted.tabletId()); // its report says why
      return;
    }
    if (!now.equals(reported.put(hosted.tabletId(), now))) {
      changed(hosted.tabletId());
    }
  }

  synchronized void acknowledged(TabletReportPB report) {
    underWay = Set.of();
    if (!report.getIncremental()) {
      full = false;
    }
  }
}
