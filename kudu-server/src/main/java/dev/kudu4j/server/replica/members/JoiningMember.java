package dev.kudu4j.server.replica.members;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that joins a group. The leader asks it repeatedly to copy the tablet until its replica
 * runs. Thread-safe; answers arrive on any thread.
 */
final class JoiningMember {
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Pause between two requests to a server that is copying. It may be short, because a request has
   * only a few bytes.
   */
  private static final long COPYING_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private boolean underWay;

  @GuardedBy("this")
  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  @GuardedBy("this")
  private long nextNanos;

  @GuardedBy("this")
  private long progressNanos;

  @GuardedBy("this")
  private @Nullable String raftAddress;

  JoiningMember(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
    this.progressNanos = nextNanos;
  }

  /** Sends a request if one is due and the replica does not run yet. */
  void ask(TabletCopyRequests copies, TabletCopyRequests.Request request, Runnable news) {
    synchronized (this) {
      if (underWay || raftAddress != null || nanoTime.getAsLong() - nextNanos < 0) {
        return;
      }
      underWay = true;
    }
    copies
        .ask(request)
        .whenComplete(
            (answer, failure) -> {
              answered(answer);
              news.run();
            });
  }

  /**
   * @param answer null if the request failed
   */
  private synchronized void answered(TabletCopyRequests.@Nullable Answer answer) {
    underWay = false;
    if (answer != null && answer.progress() == TabletCopyRequests.Progress.COPYING) {
      progressNanos = nanoTime.getAsLong();
      nextNanos = progressNanos + COPYING_PAUSE_NANOS;
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return;
    }
    nextNanos = nanoTime.getAsLong() + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    if (answer != null && !answer.raftAddress().isEmpty()) {
      raftAddress = answer.raftAddress();
    }
  }

  /** Address of the server's Raft port; empty until its replica runs. */
  synchronized Optional<String> raftAddress() {
    return Optional.ofNullable(raftAddress);
  }

  /**
   * Forgets the address and resumes the requests after a pause, because the replica may no longer
   * run.
   */
  synchronized void askAgainLater() {
    raftAddress = null;
    nextNanos = nanoTime.getAsLong() + LONGEST_PAUSE_NANOS;
  }

  /** Whether the server has made no progress for longer than {@code nanos}. */
  synchronized boolean hasStalled(long nanos) {
    return nanoTime.getAsLong() - progressNanos > nanos;
  }
}
