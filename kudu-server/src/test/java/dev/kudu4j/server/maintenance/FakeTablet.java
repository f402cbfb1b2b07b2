package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A tablet with the values that a test sets, which records the executed tasks. */
class FakeTablet implements MaintainedTablet {
  private final String id;
  final List<String> done = new ArrayList<>();
  private final MaintenanceTimes times = new MaintenanceTimes();
  volatile long memoryBytes;
  volatile long logBytes;
  volatile long epochDelayMillis;
  volatile int rowSets;
  volatile boolean running = true;
  volatile TableMaintenanceConfig maintenanceConfig = TableMaintenanceConfig.NONE;
  volatile List<MaintenanceTask> tasks = List.of();
  volatile int asked;
  volatile StoreWork work = StoreWork.NONE;
  volatile MaintenanceScheduler.Work onFlush = () -> {};
  volatile MaintenanceScheduler.Work onCompactFully = () -> {};

  FakeTablet(String id) {
    this.id = id;
  }

  /** Has that many bytes in memory and log. */
  FakeTablet holding(long bytes) {
    memoryBytes = bytes;
    logBytes = bytes;
    return this;
  }

  /** The default effect of a task: the tablet has no more candidates. */
  void did(String what) {
    done.add(what);
    tasks = List.of();
  }

  @Override
  public String tabletId() {
    return id;
  }

  @Override
  public String tableName() {
    return "table <of> " + id;
  }

  @Override
  public ReplicaPrefix prefix() {
    return new ReplicaPrefix(id, "server");
  }

  @Override
  public StoreWork storeWork() {
    return work;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public TableMaintenanceConfig maintenanceConfig() {
    return maintenanceConfig;
  }

  @Override
  public MaintenanceTimes times() {
    return times;
  }

  @Override
  public TabletStatistics statistics() {
    return new TabletStatistics(0, memoryBytes, 0, 0, rowSets, 0);
  }

  @Override
  public long unflushedLogBytes() {
    return logBytes;
  }

  @Override
  public long appliedLogBytes() {
    return logBytes;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread asks
  public List<MaintenanceTask> tasks(long budgetBytes) {
    asked++;
    return tasks;
  }

  @Override
  public void flush() throws IOException {
    onFlush.run();
    done.add("flush");
    holding(0);
  }

  @Override
  public long epochDelayMillis() {
    return epochDelayMillis;
  }

  @Override
  public void flushEpoch() {
    done.add("flush of an epoch");
    epochDelayMillis = 0;
  }

  @Override
  public void run(MaintenanceTask task) throws IOException {
    task.run();
  }

  @Override
  public void compactFully() throws IOException {
    onCompactFully.run();
    done.add("full");
  }
}
