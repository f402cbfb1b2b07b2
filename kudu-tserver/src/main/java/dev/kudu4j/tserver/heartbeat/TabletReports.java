package dev.kudu4j.tserver.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes that one master has not acknowledged: the ids of tablets that changed, or whose size
 * or index progress changed, since the last acknowledged report. A tablet that changes while a
 * report is outstanding is reported again. Not thread-safe except for {@link #changed}.
 */
final class TabletReports {
  private static final Logger log = LoggerFactory.getLogger(TabletReports.class);

  private final TabletRegistry tablets;
  private final Set<String> changed = new HashSet<>();
  private Set<String> underWay = Set.of();

  /** Sizes of a tablet to which nothing was written are compared once in this number of reports. */
  private static final int QUIET_REPORTS = 4;

  /**
   * The reported size of a tablet.
   *
   * @param appliedBytes bytes that had been applied then
   * @param isBuilt of a derived tablet
   * @param hasFeedEnded of a derived tablet
   */
  private record Size(
      long appliedBytes,
      long liveRows,
      long onDiskBytes,
      List<IndexProgress> indexes,
      boolean isBuilt,
      boolean hasFeedEnded) {
    boolean isReportedLike(@Nullable Size other) {
      return other != null
          && liveRows == other.liveRows
          && onDiskBytes == other.onDiskBytes
          && indexes.equals(other.indexes)
          && isBuilt == other.isBuilt
          && hasFeedEnded == other.hasFeedEnded;
    }
  }

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

  /** Makes the next report include every tablet. */
  synchronized void requestFullReport() {
    full = true;
  }

  /**
   * Creates the next report. The tablets in it are reported again unless {@link #acknowledged} is
   * called.
   */
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

  /**
   * Describes a replica. A replica that cannot be described is reported as failed and described
   * again in the next report; the reports of the others are not affected.
   */
  private ReportedTabletPB report(HostedTablet hosted) {
    try {
      ReportedTabletPB report = ReplicaReport.of(hosted);
      problems.remove(hosted.tabletId());
      return report;
    } catch (RuntimeException e) {
      if (problems.put(hosted.tabletId(), String.valueOf(e.getMessage())) == null) {
        limited.warn("Cannot describe tablet {}; reporting it as failed", hosted.tabletId(), e);
      }
      changed(hosted.tabletId());
      return ReplicaReport.failed(hosted, e);
    }
  }

  /** A message about the replicas that cannot be described; empty if there are none. */
  String problem() {
    return problems.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "%d replicas cannot be described; tablet %s: %s"
                    .formatted(problems.size(), first.getKey(), first.getValue()))
        .orElse("");
  }

  /**
   * Marks tablets whose size changed. Sizes change with every write, so they are compared once per
   * heartbeat; without writes, only maintenance changes them.
   */
  private void noteSizes() {
    for (HostedTablet hosted : tablets.all()) {
      if (hosted.isOpen()) {
        noteSize(hosted);
      }
    }
    reported.keySet().removeIf(tabletId -> tablets.find(tabletId) == null);
  }

  private void noteSize(HostedTablet hosted) {
    String tabletId = hosted.tabletId();
    Size before = reported.get(tabletId);
    Size now;
    try {
      long appliedBytes = hosted.maintained().appliedLogBytes();
      if (before != null
          && before.appliedBytes == appliedBytes
          && Math.floorMod(tabletId.hashCode() + sequence, QUIET_REPORTS) != 0) {
        return;
      }
      TabletStatistics statistics = hosted.statistics();
      now =
          new Size(
              appliedBytes,
              statistics.liveRows(),
              hosted.onDiskBytes(),
              statistics.indexes(),
              hosted.isBuilt(),
              hosted.hasFeedEnded());
    } catch (RuntimeException e) {
      changed(tabletId); // the report of the tablet contains the reason
      return;
    }
    reported.put(tabletId, now);
    if (!now.isReportedLike(before)) {
      changed(tabletId);
    }
  }

  synchronized void acknowledged(TabletReportPB report) {
    underWay = Set.of();
    if (!report.getIncremental()) {
      full = false;
    }
  }
}
