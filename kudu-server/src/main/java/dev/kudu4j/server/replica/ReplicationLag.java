package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftMember;

/**
 * How far the members of a group are behind, as one of them sees it.
 *
 * @param uncommitted entries in the leader's log that are not committed; 0 at a follower
 * @param notEverywhere committed entries that not every member has; 0 at a follower
 * @param leaderSilentMillis since this follower heard from its leader; 0 at the leader
 */
public record ReplicationLag(long uncommitted, long notEverywhere, long leaderSilentMillis) {

  static ReplicationLag of(RaftMember raft, long lastLogged, long lastCommitted) {
    if (!raft.isLeader()) {
      return new ReplicationLag(0, 0, raft.leaderSilentMillis());
    }
    long least =
        raft.followers().stream()
            .mapToLong(RaftMember.Follower::matchIndex)
            .filter(index -> index >= 0)
            .min()
            .orElse(lastCommitted);
    return new ReplicationLag(
        Math.max(0, lastLogged - lastCommitted), Math.max(0, lastCommitted - least), 0);
  }
}
