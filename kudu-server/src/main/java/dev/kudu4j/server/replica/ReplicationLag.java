package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftMember;

/**
 * How far the members of a group lag, as seen by one member.
 *
 * @param uncommitted number of entries in the leader's log that are not committed; 0 on a follower
 * @param notEverywhere number of committed entries that some member lacks; 0 on a follower
 * @param leaderSilentMillis time since this follower last received a message from its leader; 0 on
 *     the leader
 */
public record ReplicationLag(long uncommitted, long notEverywhere, long leaderSilentMillis) {

  static ReplicationLag of(RaftMember raft, long lastLogged, long lastCommitted) {
    if (!raft.isLeader()) {
      return new ReplicationLag(0, 0, raft.leaderSilentMillis());
    }
    long min =
        raft.followers().stream()
            .mapToLong(RaftMember.Follower::matchIndex)
            .filter(index -> index >= 0)
            .min()
            .orElse(lastCommitted);
    return new ReplicationLag(
        Math.max(0, lastLogged - lastCommitted), Math.max(0, lastCommitted - min), 0);
  }
}
