package dev.kudu4j.server.replica.members;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Asks one server to copy a tablet and to join, again and again, until its replica runs. Answers
 * come on any thread. Thread-safe.
 */
final class JoiningMember {
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A copy may end at any moment, and is asked about by a message a few bytes long. */
  private static final long COPYING_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private boolean underWay;

  @GuardedBy("this")
  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  @GuardedBy("this")
  private long nextNanos;

  @GuardedBy("this")
  private long wellNanos;

  @GuardedBy("this")
  private String raftAddress;

  JoiningMember(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
    this.wellNanos = nextNanos;
  }

  /** Asks, when it is time and the server has not accepted. */
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
   * @param answer null when there was none
   */
  private synchronized void answered(TabletCopyRequests.Answer answer) {
    underWay = false;
    if (answer != null && answer.progress() == TabletCopyRequests.Progress.COPYING) {
      wellNanos = nanoTime.getAsLong();
      nextNanos = wellNanos + COPYING_PAUSE_NANOS;
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return;
    }
    nextNanos = nanoTime.getAsLong() + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    if (answer != null && !answer.raftAddress().isEmpty()) {
      raftAddress = answer.raftAddress();
    }
  }

  /** Where the server's Raft port is, when its replica runs. */
  synchronized Optional<String> acceptedFrom() {
    return Optional.ofNullable(raftAddress);
  }

  /** Its replica may not run any more. */
  synchronized void askAgainLater() {
    raftAddress = null;
    nextNanos = nanoTime.getAsLong() + LONGEST_PAUSE_NANOS;
  }

  /** Whether nothing good has come of it for that long. */
  synchronized boolean isInVain(long nanos) {
    return nanoTime.getAsLong() - wellNanos > nanos;
  }
}
