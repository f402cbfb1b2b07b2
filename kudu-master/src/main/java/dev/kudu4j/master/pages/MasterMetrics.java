package dev.kudu4j.master.pages;

import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.service.MasterLeadership;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The metrics of a master: those of each table, and how evenly replicas are spread over the tablet
 * servers.
 */
public final class MasterMetrics {
  private final MasterLeadership leadership;
  private final ServerRegistry servers;

  public MasterMetrics(MasterLeadership leadership, ServerRegistry servers) {
    this.leadership = leadership;
    this.servers = servers;
  }

  /** The metrics of each table; empty while this master does not lead. */
  public Stream<MetricEntity> tables() {
    return leadership.current().stream()
        .flatMap(
            session ->
                TablesPage.tablesToShow(session).stream().map(table -> entity(table, session)));
  }

  private static MetricEntity entity(TableInfo table, LeaderSession session) {
    return new MetricEntity(
        Metric.Entity.TABLE,
        table.id(),
        Map.of("table_name", table.name()),
        readings -> measure(table, session, readings));
  }

  private static void measure(TableInfo table, LeaderSession session, Readings readings) {
    TableSize size = TableSize.of(table, session.observed());
    readings.add(MetricCatalog.TABLE_ON_DISK_SIZE, size.onDiskBytes().orElse(0));
    readings.add(MetricCatalog.TABLE_LIVE_ROW_COUNT, size.liveRowCount().orElse(0));
    readings.add(MetricCatalog.TABLE_COLUMN_COUNT, table.schemaForClients().getColumnsCount());
    readings.add(MetricCatalog.TABLE_SCHEMA_VERSION, table.schemaVersion());
  }

  /** Passes the metrics of the cluster as a whole to {@code readings}. */
  public void measure(Readings readings) {
    IntSummaryStatistics load =
        servers.live().stream().mapToInt(RegisteredServer::load).summaryStatistics();
    readings.add(
        MetricCatalog.CLUSTER_REPLICA_SKEW,
        load.getCount() == 0 ? 0 : load.getMax() - load.getMin());
  }
}
