package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;

/** Handles events of a replica's Raft group. The methods run on Ratis threads and do not block. */
final class RaftEvents implements ReplicaStateMachine.Listener {
  private final TabletReplica replica;
  private final String serverUuid;

  RaftEvents(TabletReplica replica) {
    this.replica = replica;
    this.serverUuid = replica.environment.raft().serverUuid();
  }

  @Override
  public void starting(RaftMember member) {
    replica.group.starting(member);
  }

  @Override
  public long currentTerm() {
    return replica.group.raft().currentTerm();
  }

  @Override
  public boolean isLed(long term) {
    return replica.leader.term() == term;
  }

  @Override
  public boolean hasEnded() {
    return replica.lifeCycle.hasEnded();
  }

  @Override
  public void leaderReady(long term) {
    if (replica.leader.elected(term)) {
      replica.environment.requests().send(replica);
    }
  }

  @Override
  public void notLeader() {
    endTerm("");
    replica.transactions().leadershipEnded();
    replica.notifyListeners();
  }

  private void endTerm(String newLeader) {
    RaftMember running = replica.group.raftIfStarted(); // null until the start has returned
    long led = replica.leader.electedTerm();
    long now = running == null ? led : running.currentTerm();
    replica.leader.end(now, () -> whyEnded(led, now, newLeader));
  }

  private String whyEnded(long led, long now, String newLeader) {
    if (!newLeader.isEmpty()) {
      return "P " + newLeader + " leads term " + now;
    }
    if (now > led) {
      return "term " + now + " has begun";
    }
    if (replica.group.raft().isClosing()) {
      return "the replica stops";
    }
    return replica.control.isSteppingDown()
        ? "it was asked to step down"
        : "it did not hear from a majority of its group in time";
  }

  @Override
  public void leaderChanged(String leaderUuid) {
    if (!leaderUuid.equals(serverUuid)) {
      endTerm(leaderUuid);
      if (!leaderUuid.isEmpty()) {
        replica.elections.ended();
        replica.logger.follows(leaderUuid);
      }
    }
    replica.notifyListeners();
  }

  @Override
  public void configurationCommitted(CommittedConfiguration configuration) {
    CommittedConfiguration before = replica.group.configurationCommitted(configuration);
    if (before != null) {
      replica.logger.membersChanged(before, configuration);
    }
    if (configuration.contains(serverUuid) && (before == null || !before.isVoter(serverUuid))) {
      replica.environment.executor().execute(this::hasJoined);
    }
    replica.membership().configurationCommitted(configuration.index());
    replica.notifyListeners();
  }

  private void hasJoined() {
    try {
      replica.environment.raft().hasJoined(replica.tabletId());
    } catch (IOException e) {
      replica.logger.joinNotNoted(e);
    }
  }

  @Override
  public void notesChanged(long index) {
    replica.group.notesChanged(index);
    replica.notifyListeners();
  }

  @Override
  public void appended(long nanos) {
    replica.logger.appended(nanos);
  }

  @Override
  public void applied(LogPosition position, int bytes, long nanos) {
    replica.logger.applied(position, bytes, nanos);
  }

  @Override
  public void failed(Throwable cause) {
    replica.end.fail(cause, false);
  }

  @Override
  public void applyFailed(Throwable cause) {
    replica.end.fail(cause, true);
  }

  @Override
  public void transactionEnded(long transaction) {
    replica.transactions().ended(transaction);
  }

  @Override
  public void transactionPrepared() {
    replica.transactions().prepared();
  }

  @Override
  public void divisionClosed(boolean withServer) {
    if (!withServer) { // only if another member answered that this replica is not a member
      replica.end.evict();
    }
  }
}
