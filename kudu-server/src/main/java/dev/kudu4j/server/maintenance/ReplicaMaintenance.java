package dev.kudu4j.server.maintenance;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The maintenance of a replicated tablet. The replica performs a flush, which also releases the
 * log; all other ops involve only the tablet. Corrupt data fails the replica.
 */
public final class ReplicaMaintenance implements MaintainedTablet {
  private final Tablet tablet;
  private final TabletReplica replica;
  private final AncientHistory history;
  private final Supplier<TableMaintenanceConfig> maintenanceConfig;
  private final MaintenanceTimes times = new MaintenanceTimes();
  private volatile TabletStatistics lastStatistics = new TabletStatistics(0, 0, 0, 0, 0, 0);

  /**
   * @param maintenanceConfig returns the current configuration of the table; must be cheap
   */
  public ReplicaMaintenance(
      Tablet tablet,
      TabletReplica replica,
      AncientHistory history,
      Supplier<TableMaintenanceConfig> maintenanceConfig) {
    this.tablet = tablet;
    this.replica = replica;
    this.history = history;
    this.maintenanceConfig = maintenanceConfig;
  }

  @Override
  public String tabletId() {
    return replica.tabletId();
  }

  @Override
  public String tableName() {
    return tablet.descriptor().tableName();
  }

  @Override
  public ReplicaPrefix prefix() {
    return replica.prefix();
  }

  @Override
  public boolean isRunning() {
    return replica.lifeCycleState() == TabletReplica.State.RUNNING;
  }

  @Override
  public TableMaintenanceConfig maintenanceConfig() {
    return maintenanceConfig.get();
  }

  @Override
  public MaintenanceTimes times() {
    return times;
  }

  /**
   * The current sizes, or the last known sizes if the tablet is closed. A deletion may close the
   * tablet at any moment.
   */
  @Override
  public TabletStatistics statistics() {
    TabletStatistics now;
    try {
      now = tablet.statistics();
    } catch (KuduException e) {
      if (e.code() != StatusCode.ILLEGAL_STATE) {
        throw e;
      }
      return lastStatistics;
    }
    lastStatistics = now;
    return now;
  }

  @Override
  public StoreWork storeWork() {
    return tablet.storeWork();
  }

  @Override
  public long unflushedLogBytes() {
    return replica.unflushedLogBytes();
  }

  @Override
  public long appliedLogBytes() {
    return replica.appliedLogBytes();
  }

  @Override
  public List<MaintenanceTask> tasks(long budgetBytes) {
    return tablet.maintenance().candidates(ancientHistoryMark(), budgetBytes);
  }

  @Override
  public long epochDelayMillis() {
    long now = HybridTime.ofMicros(history.clock().source().nowMicros());
    long delay = tablet.maintenance().epochDelay(now);
    return delay == 0 ? 0 : 1 + TimeUnit.MICROSECONDS.toMillis(HybridTime.micros(delay));
  }

  private long ancientHistoryMark() {
    return history.mark(maintenanceConfig.get().historySeconds());
  }

  @Override
  public void flush() throws IOException {
    checked(replica::flush);
  }

  @Override
  public void flushEpoch() throws IOException {
    checked(replica::flushEpoch);
  }

  @Override
  public void run(MaintenanceTask task) throws IOException {
    checked(task::run);
  }

  @Override
  public void compactFully() throws IOException {
    flush();
    checked(() -> tablet.maintenance().compactFully(ancientHistoryMark()));
  }

  private void checked(MaintenanceScheduler.Work work) throws IOException {
    replica.checkRunning();
    try {
      work.run();
    } catch (KuduException e) {
      replica.failIfCorrupt(e);
      throw e;
    }
  }
}
