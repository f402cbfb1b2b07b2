package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.RaftThreads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.util.JavaUtils;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The role of a member, without threads of its own. */
@NullMarked
final class PooledRoles extends RoleInfo {
  private static final Logger LOG = LoggerFactory.getLogger(PooledRoles.class);

  private final RaftPeerId id;
  private final RaftThreads threads;
  private final AtomicReference<FollowerState> follower = new AtomicReference<>();
  private final AtomicReference<LeaderStateImpl> leader = new AtomicReference<>();
  private final AtomicReference<PooledElection> election = new AtomicReference<>();
  private volatile boolean paused;

  PooledRoles(RaftPeerId id, RaftThreads threads) {
    super(id);
    this.id = id;
    this.threads = threads;
  }

  // ---- leader

  @Override
  Optional<LeaderStateImpl> getLeaderState() {
    return Optional.ofNullable(leader.get());
  }

  @Override
  LeaderStateImpl getLeaderStateNonNull() {
    LeaderStateImpl current = leader.get();
    if (current == null) {
      throw new NullPointerException("This member is not the leader");
    }
    return current;
  }

  @Override
  LeaderStateImpl updateLeaderState(RaftServerImpl server) {
    return set(leader, new EventDrivenLeader(server, threads));
  }

  @Override
  CompletableFuture<Void> shutdownLeaderState(boolean allowNone) {
    LeaderStateImpl ended = leader.getAndSet(null);
    if (ended != null) {
      LOG.debug("{}: ends {}", id, ended);
      return ended.stop();
    }
    return allowNone
        ? CompletableFuture.completedFuture(null)
        : JavaUtils.completeExceptionally(new NullPointerException("This member does not lead"));
  }

  // ---- follower

  @Override
  Optional<FollowerState> getFollowerState() {
    return Optional.ofNullable(follower.get());
  }

  @Override
  void startFollowerState(RaftServerImpl server, Object reason) {
    set(follower, new TimedFollower(server, reason, threads)).start();
  }

  @Override
  CompletableFuture<Void> shutdownFollowerState() {
    FollowerState ended = follower.getAndSet(null);
    if (ended == null) {
      return CompletableFuture.completedFuture(null);
    }
    LOG.debug("{}: ends {}", id, ended);
    return ended.stopRunning();
  }

  // ---- candidate

  @Override
  void startLeaderElection(RaftServerImpl server, boolean force) {
    if (!paused) {
      set(election, new PooledElection(server, force, threads)).start();
    }
  }

  @Override
  void setLeaderElectionPause(boolean pause) {
    paused = pause;
  }

  @Override
  CompletableFuture<Void> shutdownLeaderElection() {
    PooledElection ended = election.getAndSet(null);
    if (ended != null) {
      ended.end();
    }
    return CompletableFuture.completedFuture(null);
  }

  private static <T> T set(AtomicReference<T> role, T value) {
    if (!role.compareAndSet(null, value)) {
      throw new IllegalStateException("The previous role has not ended: " + role.get());
    }
    return value;
  }
}
