package dev.kudu4j.server.replica;

import java.util.List;

/**
 * What a replica knows of its group at one moment.
 *
 * @param role of this replica
 * @param term current term
 * @param leaderUuid empty when there is none known
 * @param configurationIndex log index of the configuration, which an election changes as well
 * @param members of the configuration
 */
public record ConsensusView(
    Role role, long term, String leaderUuid, long configurationIndex, List<Member> members) {
  /** Roles as the protocol names them. */
  public enum Role {
    FOLLOWER,
    LEADER,
    LEARNER,
    NON_PARTICIPANT
  }

  /**
   * One replica of the group.
   *
   * @param raftAddress host and port of its server's Raft port
   * @param rpcAddress where its server served RPC when it became a member; null when not known
   */
  public record Member(String serverUuid, String raftAddress, String rpcAddress, boolean voter) {}

  public boolean isLeader() {
    return role == Role.LEADER;
  }
}
