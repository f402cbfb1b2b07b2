package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.util.List;

/** One tablet, as its server's maintenance sees it. Thread-safe. */
public interface MaintainedTablet {
  String tabletId();

  String tableName();

  /** The head of log lines about it. */
  ReplicaPrefix prefix();

  /** Whether there is anything to maintain: neither opening, nor failed, nor on its way out. */
  boolean isRunning();

  /** What the tablet's table asks for. */
  TableMaintenanceConfig wishes();

  /** How long its maintenance took. */
  MaintenanceTimes times();

  /** Sizes now; cheap. */
  TabletStatistics statistics();

  /** What flushes and compactions have written and replaced since the tablet was opened; cheap. */
  StoreWork storeWork();

  /** Bytes of log that a restart would replay; 0 when everything is on disk. */
  long unflushedLogBytes();

  /** Bytes of log applied since the start; a measure of how busy writers are. */
  long appliedLogBytes();

  /**
   * What is worth doing beside the flush.
   *
   * @param budgetBytes most that one task reads
   */
  List<MaintenanceTask> tasks(long budgetBytes);

  /** Makes everything in memory durable and releases the log. */
  void flush() throws IOException;

  /**
   * Flushes and logs it: for callers other than the scheduler.
   *
   * @param why it is flushed, for people
   */
  default void flushNow(String why) throws IOException {
    StoreWork before = storeWork();
    long startNanos = System.nanoTime();
    flush();
    MaintenanceLines.flushedNow(
        prefix(), why, System.nanoTime() - startNanos, storeWork().since(before));
  }

  /** Does a task that was offered. Broken data fails the tablet, and only it. */
  void run(MaintenanceTask task) throws IOException;

  /** Flushes, and compacts until there is nothing left to gain. */
  void compactFully() throws IOException;
}
