package dev.kudu4j.server.replica;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The messages between servers other than those of Raft, without a network, between servers of one
 * process: stands for the peer exchange.
 */
final class LocalExchange {
  /** A server that takes part. */
  interface Member {
    /** Null while the server is down. */
    ReplicaHarness process();

    /** This server's replica of the tablet; null if it has none or is down. */
    TabletReplica replica(String tabletId);
  }

  private static final int AGAIN_MILLIS = 5;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private LocalExchange() {}

  /** Serves readers that wait at the replica of this member. */
  static void carry(Member asking, TabletReplica replica, Collection<? extends Member> members) {
    ReplicaHarness process = asking.process();
    if (process == null) {
      return;
    }
    if (replica.lifeCycleState() == TabletReplica.State.STARTING) { // and may be elected already
      carryLater(process, asking, replica, members);
      return;
    }
    if (replica.isElected()) {
      tell(asking, replica, members);
      if (replica.isElected() && !replica.isLeader()) {
        carryLater(process, asking, replica, members);
      }
      return;
    }
    SafeTime.Wanted wanted = replica.safeTime().wanted();
    for (Member member : members) {
      TabletReplica other = member.replica(replica.tabletId());
      if (wanted.isSomething() && other != null && other.isLeader()) {
        other
            .safeTime()
            .whenLatestIsReadable(wanted.snapshot(), WAIT_NANOS)
            .thenAccept(
                named -> {
                  other.leaderStatus().ifPresent(replica::receive);
                  replica.safeTime().snapshotNamed(wanted, named);
                });
      }
    }
  }

  /** Carries the messages later, as the exchange does at its next tick. */
  private static void carryLater(
      ReplicaHarness process,
      Member asking,
      TabletReplica replica,
      Collection<? extends Member> members) {
    CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS, process.executor)
        .execute(() -> carry(asking, replica, members));
  }

  /**
   * The leader sends its status to these members.
   *
   * @return whether all have accepted it; a member that is not in its term yet has not
   */
  static boolean tell(Member leader, TabletReplica replica, Collection<? extends Member> others) {
    long time = leader.process().clock.now();
    LeaderStatus status = replica.leaderStatus().orElse(null);
    boolean all = status != null;
    for (Member member : others) {
      TabletReplica other = member.replica(replica.tabletId());
      ReplicaHarness process = member.process();
      if (status != null && member != leader && other != null && process != null) {
        process.clock.update(time);
        boolean heard = other.receive(status);
        leader.process().clock.update(process.clock.now());
        if (heard) {
          replica.confirmed(process.raft.serverUuid(), status.term(), time);
        }
        all &= heard;
      }
    }
    return all;
  }
}
