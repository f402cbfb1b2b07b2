package dev.kudu4j.server.maintenance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules maintenance of a server's tablets in small steps. Each of a few threads repeatedly
 * takes the most urgent op of all tablets and performs it.
 *
 * <pre>
 *   collect:  each running tablet without a running op or a recent failure -&gt; its candidates
 *             MaintenancePolicy -&gt; the most urgent op
 *   perform:  flush or task, without the lock; at most one op per tablet
 *   rest:     after a compaction that is not urgent, for half its duration; flushes do not wait
 * </pre>
 *
 * <p>A tablet whose op failed is skipped for a while. Closing waits for running ops and starts no
 * further ops.
 *
 * <p>Thread-safe.
 */
public final class MaintenanceScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceScheduler.class);
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(15);

  private final Supplier<? extends Collection<? extends MaintainedTablet>> tablets;
  private final MaintenanceSettings settings;
  private final BooleanSupplier memoryShort;
  private final LongSupplier nanoTime;
  private final MaintenanceMeters meters = new MaintenanceMeters();
  private final LatencyHistogram choosing = new LatencyHistogram();
  private final List<Thread> threads = new ArrayList<>();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<String, TabletWatch> watches = new HashMap<>();

  @GuardedBy("lock")
  private final MaintenanceJournal journal = new MaintenanceJournal();

  @GuardedBy("lock")
  private long restUntilNanos;

  @GuardedBy("lock")
  private boolean closing;

  /** An op that has begun: the caller of {@link #begin} performs it and calls {@link #end}. */
  private record Begun(
      Run run,
      TabletWatch watch,
      MaintainedTablet tablet,
      String explanation,
      long ioBytes,
      long onDiskBytes,
      StoreWork workBefore) {}

  /**
   * @param tablets returns all tablets of the server, in any state; must be cheap
   * @param memoryShort whether writes will soon be rejected for lack of memory, regardless of what
   *     uses the memory
   */
  public MaintenanceScheduler(
      Supplier<? extends Collection<? extends MaintainedTablet>> tablets,
      MaintenanceSettings settings,
      BooleanSupplier memoryShort,
      LongSupplier nanoTime) {
    this.tablets = tablets;
    this.settings = settings;
    this.memoryShort = memoryShort;
    this.nanoTime = nanoTime;
    this.restUntilNanos = nanoTime.getAsLong();
  }

  /** Starts the threads, unless the settings disable maintenance. */
  public void start() {
    if (!settings.enabled()) {
      LOG.warn("--enable_maintenance_manager=false: tablets are flushed on demand only");
      return;
    }
    for (int i = 0; i < settings.threads(); i++) {
      Thread thread = new Thread(this::work, "maintenance-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void work() {
    while (true) {
      try {
        if (!runBest() && waitAndCheckClosing()) {
          return;
        }
      } catch (RuntimeException | Error e) { // an escaping exception would silently end maintenance
        LOG.error("Maintenance failed to look for work; will retry", e);
        if (waitAndCheckClosing()) {
          return;
        }
      }
    }
  }

  /** Waits for the polling interval. Returns true if the scheduler is closing. */
  @SuppressWarnings("WaitNotInLoop") // a spurious wakeup only causes an early look for work
  private boolean waitAndCheckClosing() {
    synchronized (lock) {
      try {
        if (!closing) {
          lock.wait(settings.pollMillis());
        }
        return closing;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }

  /**
   * Performs the most urgent op in the calling thread.
   *
   * @return whether there was an op
   */
  boolean runBest() {
    CandidateOp best;
    Begun begun;
    synchronized (lock) {
      if (closing) {
        return false;
      }
      boolean resting = nanoTime.getAsLong() - restUntilNanos < 0;
      long start = System.nanoTime();
      best =
          collectCandidates().stream()
              .filter(candidate -> candidate.opPriority().isDue())
              .filter(candidate -> !resting || !isDeferrable(candidate))
              .max(Comparator.comparing(CandidateOp::opPriority))
              .orElse(null);
      choosing.addNanos(System.nanoTime() - start);
      if (best == null) {
        return false;
      }
      begun =
          begin(
              best.tablet(),
              best.kind(),
              best.opPriority().reason().name(),
              MaintenanceLines.explanation(best.opPriority()),
              best.description(),
              best.stats());
    }
    perform(begun, best::perform);
    if (isDeferrable(best)) {
      rest(nanoTime.getAsLong() - begun.run.startedAtNanos());
    }
    return true;
  }

  private static boolean isDeferrable(CandidateOp candidate) {
    return candidate.kind() != Kind.FLUSH && !candidate.opPriority().isUrgent();
  }

  private void rest(long tookNanos) {
    synchronized (lock) {
      restUntilNanos = nanoTime.getAsLong() + Math.min(tookNanos / 2, LONGEST_REST_NANOS);
    }
  }

  /** The candidates of tablets on which no op is running. */
  @GuardedBy("lock")
  private List<CandidateOp> collectCandidates() {
    long now = nanoTime.getAsLong();
    List<MaintainedTablet> idle = new ArrayList<>();
    Map<String, TabletWatch> seen = new HashMap<>();
    long unflushed = 0;
    for (MaintainedTablet tablet : tablets.get()) {
      if (!tablet.isRunning()) {
        continue;
      }
      TabletWatch known = watches.get(tablet.tabletId());
      TabletWatch watch = known != null ? known : new TabletWatch(tablet, now);
      seen.put(tablet.tabletId(), watch);
      TabletStatistics statistics = watch.look(tablet, now);
      unflushed += statistics.memRowSetBytes() + statistics.deltaMemStoreBytes();
      if (!journal.isBusy(tablet.tabletId())) {
        idle.add(tablet);
      }
    }
    watches.keySet().retainAll(seen.keySet()); // removes tablets that no longer run
    watches.putAll(seen);
    boolean memoryTight = unflushed > settings.unflushedBytes() || memoryShort.getAsBoolean();
    List<CandidateOp> candidates = new ArrayList<>();
    for (MaintainedTablet tablet : idle) {
      candidates.addAll(candidates(tablet, memoryTight, now));
    }
    return candidates;
  }

  @GuardedBy("lock")
  private List<CandidateOp> candidates(MaintainedTablet tablet, boolean memoryTight, long now) {
    TabletWatch watch =
        Objects.requireNonNull(watches.get(tablet.tabletId()), "each candidate is watched");
    try {
      return watch.candidates(tablet, settings.policy(), memoryTight, now);
    } catch (RuntimeException e) {
      if (tablet.isRunning()) { // otherwise the tablet is being deleted
        LOG.error("{}: Cannot determine what maintenance the tablet needs", tablet.prefix(), e);
        watch.failed(now);
      }
      return List.of();
    }
  }

  @GuardedBy("lock")
  private Begun begin(
      MaintainedTablet tablet,
      Kind kind,
      String reason,
      String explanation,
      String description,
      @Nullable OpStats stats) {
    Run run =
        new Run(
            tablet.tabletId(),
            tablet.tableName(),
            kind,
            reason,
            description,
            nanoTime.getAsLong(),
            0,
            null);
    journal.begin(run);
    meters.begun(kind);
    tablet.times().begun(kind);
    TabletWatch watch =
        watches.computeIfAbsent(
            tablet.tabletId(), id -> new TabletWatch(tablet, nanoTime.getAsLong()));
    return new Begun(
        run,
        watch,
        tablet,
        explanation,
        stats == null ? 0 : stats.ioBytes(),
        tablet.statistics().onDiskBytes(),
        tablet.storeWork());
  }

  /** The body of an op. */
  interface Work {
    void run() throws IOException;
  }

  /**
   * Performs an op that has begun. A failure is logged, recorded for the tablet and returned; on
   * success the result is null.
   */
  private @Nullable Throwable perform(Begun begun, Work work) {
    @Nullable Throwable failure = null;
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      if (begun.tablet.isRunning()) { // otherwise the tablet was closed or deleted
        MaintenanceLines.failed(begun.tablet.prefix(), begun.run.description(), e);
      }
    } finally {
      end(begun, failure);
    }
    return failure;
  }

  private void end(Begun begun, @Nullable Throwable failure) {
    long grown = begun.tablet.statistics().onDiskBytes() - begun.onDiskBytes;
    long now = nanoTime.getAsLong();
    if (failure == null) {
      MaintenanceLines.done(
          begun.tablet.prefix(),
          begun.run.description(),
          begun.explanation,
          now - begun.run.startedAtNanos(),
          begun.tablet.storeWork().since(begun.workBefore));
    }
    synchronized (lock) {
      begun.tablet.times().ended(begun.run.kind(), now - begun.run.startedAtNanos(), grown);
      journal.end(begun.run, now, failure);
      meters.ended(
          begun.run.kind(), now - begun.run.startedAtNanos(), begun.ioBytes, failure != null);
      if (failure == null) {
        begun.watch.done(begun.run.kind());
      } else {
        begun.watch.failed(now);
      }
      lock.notifyAll();
    }
  }

  /**
   * Performs requested work on a tablet in the calling thread, once no other op on the tablet is
   * running.
   *
   * @return the failure; empty if the work succeeded
   * @throws InterruptedException if the server closes before the work has begun
   */
  Optional<Throwable> runOnRequest(
      MaintainedTablet tablet, Kind kind, String description, Work work)
      throws InterruptedException {
    Begun begun;
    synchronized (lock) {
      while (!closing && journal.isBusy(tablet.tabletId())) {
        lock.wait(settings.pollMillis());
      }
      if (closing) {
        throw new InterruptedException("The server is closing");
      }
      begun = begin(tablet, kind, "REQUEST", "on request", description, null);
    }
    return Optional.ofNullable(perform(begun, work));
  }

  /** Adds the metric for the time to choose an op. */
  public void measure(Readings readings) {
    readings.add(MetricCatalog.MAINTENANCE_OP_FIND_BEST_CANDIDATE_DURATION, choosing.snapshot());
  }

  /** The counters, for the metrics of the server. */
  public MaintenanceMeters meters() {
    return meters;
  }

  /** The current state, for the web page. */
  MaintenanceView view() {
    synchronized (lock) {
      List<CandidateOp> candidates = new ArrayList<>(collectCandidates());
      candidates.sort(Comparator.comparing(CandidateOp::opPriority).reversed());
      return new MaintenanceView(
          nanoTime.getAsLong(), journal.running(), journal.recent(), List.copyOf(candidates));
    }
  }

  /** Waits for running ops, at most as long as a server may take to stop. */
  @Override
  public void close() {
    synchronized (lock) {
      closing = true;
      lock.notifyAll();
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    try {
      for (Thread thread : threads) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
