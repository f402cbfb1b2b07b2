package dev.kudu4j.master.tables;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.tables.TabletTask.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each task immediately, and then again, with growing pauses, until it is done. The number of
 * requests under way to one server is limited, because a table of a thousand tablets would fill the
 * server's queue.
 *
 * <p>Thread-safe. Attempts start on the thread of the caller, or on a thread that has completed
 * another attempt.
 */
final class TaskRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
  private static final RateLimitedLog LIMITED = new RateLimitedLog(LOG);
  private static final int MAX_RUNNING_PER_SERVER = 32;
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final Delays delays;
  private final Executor continuations;
  private final RandomGenerator random;

  @GuardedBy("this")
  private final Map<String, Entry> entries = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, Lane> lanes = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** A task that is not done: pausing, waiting for room in its lane, or running. */
  private static final class Entry {
    final TabletTask task;
    Lane lane;
    boolean running;
    boolean startedAgain;
    int failures;

    Entry(TabletTask task) {
      this.task = task;
    }

    boolean isPausing() {
      return lane == null;
    }
  }

  /** The tasks for one server, of which a limited number runs at a time. */
  private static final class Lane {
    final String server;
    final Deque<Entry> ready = new ArrayDeque<>();
    int running;

    Lane(String server) {
      this.server = server;
    }
  }

  /**
   * @param continuations runs the code that handles responses
   */
  TaskRunner(Delays delays, Executor continuations, RandomGenerator random) {
    this.delays = delays;
    this.continuations = continuations;
    this.random = random;
  }

  /** Starts a task, or ends the pause of one with the same key. */
  void start(TabletTask task) {
    synchronized (this) {
      if (closed) {
        return;
      }
      Entry entry = entries.computeIfAbsent(task.key(), key -> new Entry(task));
      if (entry.isPausing()) {
        makeReadyLocked(entry);
      } else {
        entry.startedAgain = entry.running;
      }
    }
    pump();
  }

  /** Ends the pauses of all tasks for a server, since the server is back. */
  void serverReturned(String uuid) {
    synchronized (this) {
      for (Entry entry : entries.values()) {
        if (entry.isPausing() && entry.task.server().equals(uuid)) {
          makeReadyLocked(entry);
        }
      }
    }
    pump();
  }

  /** The number of tasks that are not done. */
  synchronized int pending() {
    return entries.size();
  }

  @GuardedBy("this")
  private void makeReadyLocked(Entry entry) {
    entry.lane = lanes.computeIfAbsent(entry.task.server(), Lane::new);
    entry.lane.ready.add(entry);
  }

  private void pump() {
    for (Entry entry : takeRunnable()) {
      attempt(entry.task)
          .whenCompleteAsync(
              (outcome, failure) -> finished(entry, outcome, failure), continuations);
    }
  }

  private static CompletableFuture<Outcome> attempt(TabletTask task) {
    try {
      return task.attempt();
    } catch (KuduException e) {
      LIMITED.warn("{} could not be attempted: {}", task, e.describe());
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) {
      LIMITED.warn("{} could not be attempted", task, e);
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized List<Entry> takeRunnable() {
    List<Entry> runnable = new ArrayList<>();
    if (closed) {
      return runnable;
    }
    for (Lane lane : lanes.values()) {
      while (lane.running < MAX_RUNNING_PER_SERVER && !lane.ready.isEmpty()) {
        Entry entry = lane.ready.poll();
        entry.running = true;
        lane.running++;
        runnable.add(entry);
      }
    }
    return runnable;
  }

  private void finished(Entry entry, Outcome outcome, Throwable failure) {
    if (failure != null) {
      LOG.debug("{} failed: {}", entry.task, failure.toString());
    }
    synchronized (this) {
      Lane lane = entry.lane;
      if (--lane.running == 0 && lane.ready.isEmpty()) {
        lanes.remove(lane.server, lane);
      }
      entry.lane = null;
      entry.running = false;
      boolean again = entry.startedAgain || outcome == Outcome.AGAIN_AT_ONCE;
      entry.startedAgain = false;
      if (closed) {
        return;
      }
      if (failure == null && outcome == Outcome.DONE && !again) {
        entries.remove(entry.task.key());
      } else if (failure == null && again) {
        makeReadyLocked(entry);
      } else {
        long pause = pauseMillis(entry.failures++);
        delays.after(pause, () -> pauseEnded(entry));
      }
    }
    pump();
  }

  private void pauseEnded(Entry entry) {
    synchronized (this) {
      if (closed || !entry.isPausing() || entries.get(entry.task.key()) != entry) {
        return;
      }
      makeReadyLocked(entry);
    }
    pump();
  }

  private long pauseMillis(int failures) {
    long pause = FIRST_PAUSE_MILLIS << Math.min(failures, 10);
    return Math.min(pause, LONGEST_PAUSE_MILLIS) * (75 + random.nextInt(50)) / 100;
  }

  /** Starts no more attempts. Requests under way are not cancelled. */
  @Override
  public synchronized void close() {
    closed = true;
    entries.clear();
    lanes.clear();
  }
}
