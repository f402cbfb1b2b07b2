package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.GroupView;
import dev.kudu4j.server.replica.members.LeadingReplica;
import dev.kudu4j.server.replica.members.MembershipListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Adapts a replica to the package {@code members}. */
final class GroupLeader implements LeadingReplica {
  private final TabletReplica replica;

  GroupLeader(TabletReplica replica) {
    this.replica = replica;
  }

  @Override
  public String tabletId() {
    return replica.tabletId();
  }

  @Override
  public long term() {
    return replica.lifeCycle.isRunning() ? replica.leader.term() : RaftMember.NO_TERM;
  }

  @Override
  public GroupView group() {
    return replica.group.view();
  }

  @Override
  public long firstLogIndex() {
    return replica.firstLogIndex();
  }

  @Override
  public CompletableFuture<Void> log(byte[] entry, long term) {
    return replica
        .writes
        .logAlone(() -> entry, term)
        .thenApplyAsync(result -> null, replica.environment.executor());
  }

  @Override
  public void votersMayChange(boolean underWay) {
    replica.safeTime().onlyVoter(!underWay && replica.group.raft().isOnlyVoter());
  }

  @Override
  public CompletableFuture<Void> transferLeadership(Optional<String> newLeader) {
    return replica.transferLeadership(newLeader);
  }

  @Override
  public boolean hasReportedFailure(String serverUuid) {
    return replica.leader.hasReportedFailure(serverUuid);
  }

  @Override
  public void healthChanged(Map<String, ConsensusView.Health> health) {
    replica.leader.healthChanged(health);
  }

  @Override
  public void onChange(Runnable action) {
    replica.addListener(changed -> action.run());
  }

  @Override
  public MembershipListener listener() {
    return replica.logger;
  }
}
