package dev.kudu4j.server.maintenance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Full compactions on request. They run in sequence on a separate thread, concurrently with the
 * scheduler. The last compaction of each tablet is remembered, so the requester can see the result.
 *
 * <p>Thread-safe.
 */
public final class RequestedCompactions implements AutoCloseable {
  private static final int MAX_REMEMBERED = 1000;
  private static final long CLOSE_SECONDS = 15;

  /** The state of a compaction. */
  public enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED
  }

  /**
   * The progress of a compaction.
   *
   * @param millis the duration so far; 0 while the compaction waits
   * @param before the tablet's sizes when the compaction began; the current sizes while the
   *     compaction waits
   * @param now the tablet's current sizes; after the end, the sizes at the end
   * @param failure null unless the compaction failed
   */
  public record Progress(
      State state,
      long millis,
      TabletStatistics before,
      TabletStatistics now,
      @Nullable Throwable failure) {}

  private final MaintenanceScheduler scheduler;
  private final LongSupplier nanoTime;
  private final ExecutorService executor;

  @GuardedBy("compactions")
  private final Map<String, Compaction> compactions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Compaction> eldest) {
          return size() > MAX_REMEMBERED && eldest.getValue().hasEnded();
        }
      };

  public RequestedCompactions(MaintenanceScheduler scheduler, LongSupplier nanoTime) {
    this.scheduler = scheduler;
    this.nanoTime = nanoTime;
    this.executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "compaction-on-request");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Requests a compaction of the tablet, or joins one that waits or runs. */
  public Progress request(MaintainedTablet tablet) {
    synchronized (compactions) {
      Compaction known = compactions.get(tablet.tabletId());
      if (known == null || known.hasEnded()) {
        known = new Compaction(tablet);
        compactions.remove(tablet.tabletId()); // so that put() adds it as the newest
        compactions.put(tablet.tabletId(), known);
        executor.execute(known);
      }
      return known.progress();
    }
  }

  /** The last compaction of the tablet; empty if none was requested recently. */
  public Optional<Progress> find(String tabletId) {
    synchronized (compactions) {
      return Optional.ofNullable(compactions.get(tabletId)).map(Compaction::progress);
    }
  }

  /** Starts no further compactions, and waits up to 15 seconds for the running one. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Compaction implements Runnable {
    private final MaintainedTablet tablet;
    private volatile long beganAtNanos;
    private volatile @Nullable TabletStatistics before; // null before the compaction begins
    private volatile @Nullable Progress end; // null before it ends

    Compaction(MaintainedTablet tablet) {
      this.tablet = tablet;
    }

    boolean hasEnded() {
      return end != null;
    }

    Progress progress() {
      if (end != null) {
        return end;
      }
      TabletStatistics now = tablet.statistics();
      return before == null
          ? new Progress(State.WAITING, 0, now, now, null)
          : new Progress(State.RUNNING, millis(), before, now, null);
    }

    private long millis() {
      return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beganAtNanos);
    }

    @Override
    public void run() {
      @Nullable Throwable failure;
      try {
        failure =
            scheduler
                .runOnRequest(tablet, Kind.ROWSET_COMPACTION, "Full compaction", this::compact)
                .orElse(null);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = KuduException.serviceUnavailable("%s", String.valueOf(e.getMessage()));
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      TabletStatistics now = tablet.statistics();
      TabletStatistics began = before == null ? now : before;
      end =
          failure == null
              ? new Progress(State.DONE, millis(), began, now, null)
              : new Progress(State.FAILED, before == null ? 0 : millis(), began, now, failure);
    }

    private void compact() throws IOException {
      beganAtNanos = nanoTime.getAsLong();
      before = tablet.statistics();
      tablet.compactFully();
    }
  }
}
