package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.time.HybridClock;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Proves to readers that this replica led when its clock showed a time: a round of heartbeats,
 * which a majority answers in this replica's term after the clock was read. No newer leader can
 * have been elected before.
 *
 * <p>One round is under way at a time; whoever comes meanwhile shares the next. So however many
 * snapshots are read, there are at most a few hundred rounds a second.
 *
 * <p>There is no lease. Raft here does not keep a member from voting for another leader while a
 * lease runs, so a lease would prove nothing.
 */
final class LeadershipProof {
  /** Asks a majority. */
  interface Round {
    CompletableFuture<Boolean> start() throws IOException;
  }

  private static final int PAUSE_MILLIS = 100;

  private final HybridClock clock;
  private final SafeTime safeTime;
  private final LedTerm ledTerm;
  private final Round round;

  @GuardedBy("this")
  private boolean underWay;

  @GuardedBy("this")
  private long wanted;

  LeadershipProof(HybridClock clock, SafeTime safeTime, LedTerm ledTerm, Round round) {
    this.clock = clock;
    this.safeTime = safeTime;
    this.ledTerm = ledTerm;
    this.round = round;
  }

  /** Somebody waits for a proof at or behind the time. Does not block. */
  void want(long time) {
    synchronized (this) {
      wanted = Math.max(wanted, time);
      if (underWay) {
        return;
      }
      underWay = true;
    }
    prove();
  }

  private void prove() {
    long term = ledTerm.now();
    if (term == LedTerm.NONE) {
      synchronized (this) {
        underWay = false;
      }
      return;
    }
    long time = clock.now();
    CompletableFuture<Boolean> answer;
    try {
      answer = round.start();
    } catch (IOException | RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (proved, thrown) -> ended(term, time, thrown == null && Boolean.TRUE.equals(proved)));
  }

  private void ended(long term, long time, boolean proved) {
    boolean valid = proved && ledTerm.now() == term;
    if (valid) {
      safeTime.proved(time);
    }
    boolean again;
    synchronized (this) {
      again = (valid ? wanted > time : safeTime.wanted() > 0) && ledTerm.now() != LedTerm.NONE;
      underWay = again;
    }
    if (again && valid) {
      prove();
    } else if (again) {
      CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS).execute(this::prove);
    }
  }
}
