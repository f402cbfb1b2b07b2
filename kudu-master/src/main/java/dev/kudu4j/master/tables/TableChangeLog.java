package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.server.logging.LogMarkers;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines about tables: one when a change is recorded, which names the table and the
 * requester, and one when the tablet servers have carried it out; and one when a replica begins to
 * move. A repeated request logs nothing. Public so that tests can capture its lines.
 */
public final class TableChangeLog {
  private static final Logger LOG = LoggerFactory.getLogger(TableChangeLog.class);

  private TableChangeLog() {}

  /**
   * Logs that a change was recorded, if it was.
   *
   * @param nanos how long it took to check and record the change
   */
  static void recorded(TableChange change, Requester requester, long nanos) {
    if (!change.description().isEmpty()) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "{}; asked for by {}, recorded in {} ms",
          change.description(),
          requester.description(),
          TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }

  /** Logs that the move of a replica begins. */
  static void moving(Move move, Requester requester) {
    LOG.info(
        "T {}: Moves the replica on P {} to P {}: {}; asked for by {}",
        move.tablet(),
        move.from(),
        move.to(),
        move.reason(),
        requester.description());
  }

  /** Logs that all tablets of a table run now, after some were in creation. */
  static void ready(TableInfo table, long nowMicros) {
    long since =
        table.tablets().stream()
            .mapToLong(tablet -> tablet.entry().getCreateTimeMicros())
            .max()
            .orElse(nowMicros);
    LOG.info(
        LogMarkers.ON_DEMAND,
        "Table {} is ready: {} tablets run, {} ms after the last one was recorded",
        table,
        table.tablets().size(),
        millis(nowMicros - since));
  }

  /** Logs that all tablets have applied the newest schema of their table. */
  static void altered(TableInfo table, long nowMicros) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "Table {} has schema version {} on all tablets, {} ms after the request",
        table,
        table.schemaVersion(),
        millis(nowMicros - table.entry().getAlterTimeMicros()));
  }

  /** Logs that no server has a replica of a dropped table any more, and its records are removed. */
  static void gone(TableInfo table, int tablets, long nowMicros) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "Table {} is gone with its {} tablets, {} ms after its deletion",
        table,
        tablets,
        millis(nowMicros - table.entry().getDeleteTimeMicros()));
  }

  private static long millis(long micros) {
    return Math.max(0, TimeUnit.MICROSECONDS.toMillis(micros));
  }
}
