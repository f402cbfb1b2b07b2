package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.RaftThreads;
import io.netty.util.Timeout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an election when a follower has not heard from a leader for the election timeout.
 *
 * <p>Ratis' thread sleeps for a whole timeout and then looks whether the leader has been heard
 * since, so it detects the loss of a leader after one to two timeouts. This class looks one timeout
 * after the last message of the leader. The class is a thread, because Ratis' class is, but is
 * never started.
 */
@NullMarked
final class TimedFollower extends FollowerState {
  private static final Logger LOG = LoggerFactory.getLogger(TimedFollower.class);

  /** The shortest time between two looks. */
  private static final long SHORTEST_MILLIS = 50;

  private final RaftServerImpl server;
  private final RaftThreads threads;
  private volatile boolean ended;
  private volatile @Nullable Timeout next;

  TimedFollower(RaftServerImpl server, Object reason, RaftThreads threads) {
    super(server, reason);
    this.server = server;
    this.threads = threads;
  }

  @Override
  public synchronized void start() {
    begin();
  }

  private void begin() {
    int timeout = randomTimeout();
    lookAfter(timeout, timeout);
  }

  @Override
  public void run() {
    throw new UnsupportedOperationException("The timer wakes this object");
  }

  @Override
  CompletableFuture<Void> stopRunning() {
    ended = true;
    Timeout pending = next;
    if (pending != null) {
      pending.cancel();
    }
    // A look that is under way holds no lock, or else it has found that the follower has not ended.
    return CompletableFuture.completedFuture(null);
  }

  private int randomTimeout() {
    return server.getRandomElectionTimeout().toIntExact(TimeUnit.MILLISECONDS);
  }

  private void lookAfter(long millis, int timeout) {
    if (ended) {
      return;
    }
    long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      next = threads.after(millis, () -> look(timeout, dueNanos));
    } catch (IllegalStateException e) {
      LOG.debug("{} ends: the server is closed", this, e);
    }
  }

  /** Called by the timer; must not block. */
  private void look(int timeout, long dueNanos) {
    if (!isFollowing()) {
      return;
    }
    long late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - dueNanos);
    if (late > server.getSleepDeviationThreshold().toLong(TimeUnit.MILLISECONDS)) {
      LOG.warn("{} was woken {} ms late, and gives the leader time to be heard", this, late);
      begin();
      return;
    }
    if (isLeaderLost(timeout)) {
      threads.execute(() -> becomeCandidate(timeout));
    } else {
      lookAgain(timeout);
    }
  }

  /**
   * Waits for the next timeout, which begins with the last message of the leader. If that message
   * is older than the previous timeout, but an election is not allowed, it begins now.
   */
  private void lookAgain(int previousTimeout) {
    int timeout = randomTimeout();
    long silent = getOutstandingOp() > 0 ? 0 : getLastRpcTime().elapsedTimeMs();
    lookAfter(
        silent >= previousTimeout ? timeout : Math.max(SHORTEST_MILLIS, timeout - silent), timeout);
  }

  private boolean isFollowing() {
    return !ended
        && server.getInfo().isAlive()
        && (server.getInfo().isFollower() || server.getInfo().isListener());
  }

  private boolean isLeaderLost(int timeout) {
    return getOutstandingOp() == 0
        && server.getInfo().isFollower()
        && getLastRpcTime().elapsedTimeMs() >= timeout
        && !lostMajorityHeartbeatsRecently()
        && server.isRunning();
  }

  private void becomeCandidate(int timeout) {
    try {
      synchronized (server) {
        if (!isFollowing()) {
          return;
        }
        if (isLeaderLost(timeout)) {
          server.getLeaderElectionMetrics().onLeaderElectionTimeout();
          server.changeToCandidate(false);
          return;
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("{} did not become a candidate", this, e);
    }
    lookAgain(timeout);
  }
}
