package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.logging.LogMarkers;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletStatistics;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines about opening, creating and removing tablets on this server. */
final class TabletLogMessages {
  private static final Logger LOG = LoggerFactory.getLogger(TabletRegistry.class);

  private final String serverUuid;

  TabletLogMessages(String serverUuid) {
    this.serverUuid = serverUuid;
  }

  private ReplicaPrefix prefix(String tabletId) {
    return new ReplicaPrefix(tabletId, serverUuid);
  }

  /** Logs that every tablet on disk is open or has failed. */
  void allOpened(int count, int failed, long nanos) {
    LOG.info("{} tablets opened in {} ms, {} failed", count - failed, millis(nanos), failed);
  }

  /** Logs that a replica has started. It is still replaying its log beyond the checkpoint. */
  void opened(Tablet tablet, TabletStatistics sizes, TabletReplica replica, long nanos) {
    LOG.info(
        "{}: Opened tablet of table {} in {} ms: {} rowsets of {} on disk, checkpoint at log index"
            + " {}, log ends at {}",
        replica.prefix(),
        tablet.descriptor().tableName(),
        millis(nanos),
        sizes.rowSetCount(),
        Figures.bytesText(sizes.onDiskBytes()),
        tablet.checkpoint().index(),
        replica.lastLogged().index());
  }

  void cannotBeOpened(String tabletId, Throwable cause) {
    LOG.error(
        "{}: Cannot open the tablet; other tablets are not affected", prefix(tabletId), cause);
  }

  void created(Tablet tablet, TabletReplica replica, List<String> members, long nanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Created tablet of table {} in {} ms, members {}",
        replica.prefix(),
        tablet.descriptor().tableName(),
        millis(nanos),
        members);
  }

  void deleted(String tabletId, long nanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Deleted the tablet with log and data in {} ms",
        prefix(tabletId),
        millis(nanos));
  }

  void tombstoned(HostedTablet tablet) {
    LOG.info(LogMarkers.ON_DEMAND, "{}: {}", prefix(tablet.tabletId()), tablet.lastStatus());
  }

  /** Logs a tombstone that was found at the start. */
  void foundTombstone(HostedTablet tablet) {
    LOG.info("{}: Found a tombstone: {}", prefix(tablet.tabletId()), tablet.lastStatus());
  }

  void tombstoneUnreadable(String tabletId, Throwable cause) {
    LOG.error("{}: Cannot read the tombstone", prefix(tabletId), cause);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
