package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import dev.kudu4j.server.replica.AppliedRows;
import dev.kudu4j.server.replica.ReplicationLag;
import dev.kudu4j.server.replica.write.WriteCounters;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.TabletStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The metrics of a server's tablets: those of each tablet, the number of tablets by state, and
 * totals.
 */
public final class TabletMetrics {
  private final TabletRegistry tablets;

  public TabletMetrics(TabletRegistry tablets) {
    this.tablets = tablets;
  }

  /** The open tablets with their metrics. */
  public Stream<MetricEntity> entities() {
    return tablets.all().stream().filter(HostedTablet::isOpen).map(TabletMetrics::entity);
  }

  private static MetricEntity entity(HostedTablet hosted) {
    TabletDescriptor descriptor = hosted.tablet().descriptor();
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("partition", TabletAttributes.partitionText(descriptor));
    attributes.put("table_name", descriptor.tableName());
    attributes.put("table_id", descriptor.tableId());
    return new MetricEntity(
        Metric.Entity.TABLET, hosted.tabletId(), attributes, readings -> measure(hosted, readings));
  }

  private static void measure(HostedTablet hosted, Readings readings) {
    readings.add(MetricCatalog.STATE, hosted.state().name());
    measure(hosted.statistics(), readings);
    readings.add(MetricCatalog.ON_DISK_SIZE, hosted.onDiskBytes());
    measure(hosted.replica().applied(), readings);
    hosted.scans().measure(readings);
    hosted.writeTimes().measure(readings);
    hosted.maintained().times().measure(readings);
    measure(hosted.replica().writeCounters(), readings);
    if (hosted.isRunning()) {
      measure(hosted.replica().replicationLag(), readings);
      readings.add(MetricCatalog.RAFT_TERM, hosted.replica().consensus().term());
      readings.add(MetricCatalog.LOG_APPEND_LATENCY, hosted.replica().logAppending());
    }
  }

  private static void measure(TabletStatistics tablet, Readings readings) {
    readings.add(MetricCatalog.LIVE_ROW_COUNT, tablet.liveRows());
    readings.add(MetricCatalog.ON_DISK_DATA_SIZE, tablet.onDiskBytes());
    readings.add(MetricCatalog.MEMROWSET_SIZE, tablet.memRowSetBytes());
    readings.add(MetricCatalog.NUM_ROWSETS_ON_DISK, tablet.rowSetCount());
    readings.add(MetricCatalog.AVERAGE_DISKROWSET_HEIGHT, tablet.averageHeight());
  }

  private static void measure(AppliedRows rows, Readings readings) {
    readings.add(MetricCatalog.ROWS_INSERTED, rows.inserted());
    readings.add(MetricCatalog.ROWS_UPSERTED, rows.upserted());
    readings.add(MetricCatalog.ROWS_UPDATED, rows.updated());
    readings.add(MetricCatalog.ROWS_DELETED, rows.deleted());
    readings.add(MetricCatalog.INSERTIONS_FAILED_DUP_KEY, rows.insertErrors());
    readings.add(MetricCatalog.INSERT_IGNORE_ERRORS, rows.insertIgnoreErrors());
    readings.add(MetricCatalog.UPSERT_IGNORE_ERRORS, rows.upsertIgnoreErrors());
    readings.add(MetricCatalog.UPDATE_IGNORE_ERRORS, rows.updateIgnoreErrors());
    readings.add(MetricCatalog.DELETE_IGNORE_ERRORS, rows.deleteIgnoreErrors());
    readings.add(MetricCatalog.LOG_BYTES_LOGGED, rows.logBytes());
    readings.add(
        MetricCatalog.LAST_WRITE_ELAPSED_TIME,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - rows.lastNanos()));
  }

  private static void measure(WriteCounters flow, Readings readings) {
    long writes = flow.writesUnderWay();
    long others = flow.othersUnderWay();
    readings.add(MetricCatalog.ALL_TRANSACTIONS_INFLIGHT, writes + others);
    readings.add(MetricCatalog.WRITE_TRANSACTIONS_INFLIGHT, writes);
    readings.add(MetricCatalog.ALTER_SCHEMA_TRANSACTIONS_INFLIGHT, others);
    readings.add(MetricCatalog.LEADER_MEMORY_PRESSURE_REJECTIONS, flow.refusedForMemoryCount());
    readings.add(
        MetricCatalog.TRANSACTION_MEMORY_LIMIT_REJECTIONS, flow.refusedAtTabletLimitCount());
    readings.add(MetricCatalog.OPS_TIMED_OUT_IN_PREPARE_QUEUE, flow.timedOutCount());
  }

  private static void measure(ReplicationLag progress, Readings readings) {
    readings.add(MetricCatalog.IN_PROGRESS_OPS, progress.uncommitted());
    readings.add(MetricCatalog.MAJORITY_DONE_OPS, progress.notEverywhere());
    readings.add(MetricCatalog.TIME_SINCE_LAST_LEADER_HEARTBEAT, progress.leaderSilentMillis());
  }

  /** Adds the number of tablets by state and the totals over all tablets. */
  public void measureAll(Readings readings) {
    Map<TabletStatePB, Integer> states = new LinkedHashMap<>();
    int leaders = 0;
    long files = 0;
    long bytes = 0;
    for (HostedTablet hosted : tablets.all()) {
      states.merge(hosted.state(), 1, Integer::sum);
      if (hosted.isOpen()) {
        leaders += hosted.replica().isLeader() ? 1 : 0;
        TabletStatistics statistics = hosted.statistics();
        files += statistics.rowSetCount() + statistics.deltaFileCount();
        bytes += statistics.onDiskBytes();
      }
    }
    readings.add(MetricCatalog.BLOCKS_UNDER_MANAGEMENT, files);
    readings.add(MetricCatalog.BYTES_UNDER_MANAGEMENT, bytes);
    readings.add(MetricCatalog.TABLETS_NUM_RUNNING, count(states, TabletStatePB.RUNNING));
    readings.add(
        MetricCatalog.TABLETS_NUM_BOOTSTRAPPING, count(states, TabletStatePB.BOOTSTRAPPING));
    readings.add(MetricCatalog.TABLETS_NUM_FAILED, count(states, TabletStatePB.FAILED));
    readings.add(MetricCatalog.TABLETS_NUM_STOPPED, count(states, TabletStatePB.STOPPED));
    readings.add(MetricCatalog.TABLETS_NUM_STOPPING, count(states, TabletStatePB.STOPPING));
    readings.add(
        MetricCatalog.TABLETS_NUM_NOT_INITIALIZED, count(states, TabletStatePB.NOT_INITIALIZED));
    readings.add(MetricCatalog.TABLETS_NUM_INITIALIZED, count(states, TabletStatePB.INITIALIZED));
    readings.add(MetricCatalog.TABLETS_NUM_SHUTDOWN, count(states, TabletStatePB.SHUTDOWN));
    readings.add(MetricCatalog.NUM_RAFT_LEADERS, leaders);
    tablets.times().measure(readings);
  }

  private static long count(Map<TabletStatePB, Integer> states, TabletStatePB state) {
    return states.getOrDefault(state, 0);
  }
}
