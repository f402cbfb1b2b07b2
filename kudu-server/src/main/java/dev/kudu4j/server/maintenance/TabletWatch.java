package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state that the scheduler keeps for one tablet: since when it has unflushed data, its write
 * rate, its candidate tasks, and its failures.
 *
 * <p>The stats of the flush are computed each time the scheduler looks for work. The other tasks
 * depend on the tablet's layout. They are computed again when the layout has changed, and
 * periodically, because further UNDO deltas become removable.
 *
 * <p>Guarded by the scheduler's lock.
 */
final class TabletWatch {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int MAX_DOUBLINGS = 5;
  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final WriteActivity activity;
  private boolean dirty;
  private long dirtySinceNanos;
  private int failures;
  private long failedAtNanos;
  private List<MaintenanceTask> tasks = List.of();
  private @Nullable Layout layout; // null if the tasks must be computed again
  private long refreshedAtNanos;
  private @Nullable TabletStatistics sizes; // null before the first look
  private long lookedAtBytes;
  private long lookedAtNanos;
  private List<CandidateOp> last = List.of();
  private boolean memoryWasShort; // when these were determined
  private boolean idle; // none of these was due
  private boolean quiet; // the last look found no change since then

  /**
   * What every flush and compaction changes, and every change of the indexes. If it has changed,
   * the tasks are computed again.
   */
  private record Layout(int rowSets, int deltaFiles, long diskBytes, List<IndexProgress> indexes) {
    static Layout of(TabletStatistics statistics) {
      return new Layout(
          statistics.rowSetCount(),
          statistics.deltaFileCount(),
          statistics.onDiskBytes(),
          statistics.indexes());
    }
  }

  TabletWatch(MaintainedTablet tablet, long nowNanos) {
    this.activity = new WriteActivity(tablet.appliedLogBytes(), nowNanos);
  }

  /**
   * The current sizes of the tablet. If nothing has been written to the tablet and no op was due,
   * the sizes are up to {@link #QUIET_NANOS} old.
   */
  TabletStatistics look(MaintainedTablet tablet, long nowNanos) {
    long applied = tablet.appliedLogBytes();
    quiet =
        idle
            && layout != null
            && applied == lookedAtBytes
            && nowNanos - lookedAtNanos < QUIET_NANOS;
    if (!quiet) {
      lookedAtBytes = applied;
      lookedAtNanos = nowNanos;
      sizes = tablet.statistics();
    }
    return Objects.requireNonNull(sizes, "the first look is never quiet");
  }

  /**
   * The candidates for the sizes of the last {@link #look}; empty for a while after a failure. If
   * no candidate was due and nothing has changed since, these are the previous candidates.
   */
  List<CandidateOp> candidates(
      MaintainedTablet tablet, MaintenancePolicy policy, boolean memoryShort, long nowNanos) {
    if (!quiet || memoryShort != memoryWasShort) {
      last = evaluate(tablet, policy, memoryShort, nowNanos);
      memoryWasShort = memoryShort;
      idle = failures == 0 && last.stream().noneMatch(candidate -> candidate.opPriority().isDue());
    }
    return last;
  }

  private List<CandidateOp> evaluate(
      MaintainedTablet tablet, MaintenancePolicy policy, boolean memoryShort, long nowNanos) {
    activity.sample(tablet.appliedLogBytes(), nowNanos);
    long log = tablet.unflushedLogBytes();
    if (!dirty) {
      dirtySinceNanos = nowNanos;
    }
    dirty = log > 0;
    if (isPausing(nowNanos)) {
      return List.of();
    }
    TabletStatistics now = Objects.requireNonNull(sizes, "candidates follow a look");
    TableMaintenanceConfig config = tablet.maintenanceConfig();
    List<CandidateOp> candidates = new ArrayList<>();
    long epochDelay = tablet.epochDelayMillis();
    if (dirty || epochDelay > 0) {
      OpStats stats = flush(now, log, epochDelay, config, nowNanos);
      candidates.add(candidate(tablet, null, stats, policy, memoryShort));
    }
    refreshTasks(tablet, Layout.of(now), policy.budgetBytes(), nowNanos);
    for (MaintenanceTask task : tasks) {
      boolean unwanted =
          task.kind() == Kind.FLUSH
              || (config.compactionDisabled() && task.kind() == Kind.ROWSET_COMPACTION);
      if (!unwanted) {
        candidates.add(candidate(tablet, task, stats(task, config), policy, memoryShort));
      }
    }
    return candidates;
  }

  private boolean isPausing(long nowNanos) {
    long pause = FIRST_PAUSE_NANOS << Math.min(failures - 1, MAX_DOUBLINGS);
    return failures > 0 && nowNanos - failedAtNanos < pause;
  }

  private void refreshTasks(MaintainedTablet tablet, Layout now, long budgetBytes, long nowNanos) {
    if (now.equals(layout) && nowNanos - refreshedAtNanos < REFRESH_NANOS) {
      return;
    }
    tasks = tablet.tasks(budgetBytes);
    layout = now;
    refreshedAtNanos = nowNanos;
  }

  private static CandidateOp candidate(
      MaintainedTablet tablet,
      @Nullable MaintenanceTask task,
      OpStats stats,
      MaintenancePolicy policy,
      boolean memoryShort) {
    return new CandidateOp(tablet, task, stats, policy.prioritize(stats, memoryShort));
  }

  private OpStats flush(
      TabletStatistics now,
      long log,
      long epochDelayMillis,
      TableMaintenanceConfig config,
      long nowNanos) {
    long memory = now.memRowSetBytes() + now.deltaMemStoreBytes();
    return new OpStats(
        Kind.FLUSH,
        memory,
        log,
        TimeUnit.NANOSECONDS.toMillis(nowNanos - dirtySinceNanos),
        epochDelayMillis,
        0,
        memory,
        0,
        activity.bytesPerSecond(),
        config.priority());
  }

  private OpStats stats(MaintenanceTask task, TableMaintenanceConfig config) {
    return new OpStats(
        task.kind(),
        task.freedMemoryBytes(),
        0,
        0,
        0,
        task.freedDiskBytes(),
        task.ioBytes(),
        task.readGain(),
        activity.bytesPerSecond(),
        config.priority());
  }

  /** Records that an op has ended; the tasks are then computed again. */
  void done(Kind kind) {
    failures = 0;
    layout = null;
    if (kind == Kind.FLUSH) {
      dirty = false;
    }
  }

  /** Records a failure. The tablet is skipped for a while, longer after each failure. */
  void failed(long nowNanos) {
    failures++;
    failedAtNanos = nowNanos;
    layout = null;
  }
}
