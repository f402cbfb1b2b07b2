package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.util.List;

/** A tablet as seen by the maintenance of its server. Thread-safe. */
public interface MaintainedTablet {
  String tabletId();

  String tableName();

  /** The prefix of log lines about the tablet. */
  ReplicaPrefix prefix();

  /** Whether the tablet can be maintained: it is neither opening nor failed nor stopping. */
  boolean isRunning();

  /** The maintenance configuration of the tablet's table. */
  TableMaintenanceConfig maintenanceConfig();

  /** The durations of the tablet's maintenance. */
  MaintenanceTimes times();

  /** The current sizes; cheap. */
  TabletStatistics statistics();

  /**
   * The files and rows that flushes and compactions have written and replaced since the tablet was
   * opened; cheap.
   */
  StoreWork storeWork();

  /** The bytes of log that a restart would replay; 0 if everything is flushed. */
  long unflushedLogBytes();

  /**
   * The bytes of log applied since the server started. The scheduler derives the write load from
   * them.
   */
  long appliedLogBytes();

  /**
   * The candidate tasks except the flush.
   *
   * @param budgetBytes the maximum bytes that one task reads
   */
  List<MaintenanceTask> tasks(long budgetBytes);

  /**
   * For how long a flush has been due because a boundary of the table's epochs has passed; 0 if
   * none is due.
   */
  long epochDelayMillis();

  /** Flushes everything in memory and releases the log. */
  void flush() throws IOException;

  /**
   * Flushes what the tablet froze at the boundary of an epoch, without later rows and changes;
   * everything if nothing is frozen.
   */
  void flushEpoch() throws IOException;

  /**
   * Flushes, and writes a line about the flush to the log. For callers other than the scheduler.
   *
   * @param reason the reason of the flush, for the log line
   */
  default void flushNow(String reason) throws IOException {
    StoreWork before = storeWork();
    long startNanos = System.nanoTime();
    flush();
    MaintenanceLines.flushedNow(
        prefix(), reason, System.nanoTime() - startNanos, storeWork().since(before));
  }

  /** Performs a task from {@link #tasks}. Corrupt data fails this tablet only. */
  void run(MaintenanceTask task) throws IOException;

  /** Flushes the tablet, and compacts it until a further compaction would gain nothing. */
  void compactFully() throws IOException;
}
