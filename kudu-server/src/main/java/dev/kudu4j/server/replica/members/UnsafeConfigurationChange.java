package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.RaftFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Repairs a group that has lost its majority permanently: replaces the configuration on one
 * replica, without a vote. The replica receives the new configuration as if from a leader of the
 * next term, and logs it like any follower. Committed entries that this replica does not have are
 * lost.
 */
public final class UnsafeConfigurationChange {
  private final String tabletId;
  private final GroupView group;

  public UnsafeConfigurationChange(String tabletId, GroupView group) {
    this.tabletId = tabletId;
    this.group = group;
  }

  /**
   * @param servers the remaining members, including this server
   */
  public CompletableFuture<Void> force(Set<String> servers) {
    List<GroupPeer> voters = new ArrayList<>();
    Set<String> nonMembers = new TreeSet<>(servers);
    List<GroupPeer> all = new ArrayList<>(group.committed().voters());
    all.addAll(group.committed().listeners());
    for (GroupPeer peer : all) {
      if (nonMembers.remove(peer.serverUuid())) {
        voters.add(peer);
      }
    }
    try {
      check(servers, nonMembers);
      return group.raft().forceConfiguration(voters).thenAccept(this::checkTaken);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(RaftFailures.explain(tabletId, e));
    }
  }

  private void check(Set<String> servers, Set<String> nonMembers) {
    if (!servers.contains(group.raft().serverUuid())) {
      throw MemberChangeRejectedException.of(
          MemberChangeRejectedException.Reason.INVALID,
          "Server %s must be in the configuration that is forced on it",
          group.raft().serverUuid());
    }
    if (!nonMembers.isEmpty()) {
      throw MemberChangeRejectedException.of(
          MemberChangeRejectedException.Reason.INVALID,
          "Servers %s are not members of tablet %s and cannot be added by force",
          nonMembers,
          tabletId);
    }
  }

  private void checkTaken(Optional<String> refusal) {
    if (refusal.isPresent()) {
      throw MemberChangeRejectedException.of(
          MemberChangeRejectedException.Reason.NOT_NOW,
          "The replica of tablet %s rejected the configuration: %s",
          tabletId,
          refusal.get());
    }
  }
}
