package dev.kudu4j.server.replica.members;

import java.util.List;
import java.util.Optional;

/**
 * What a replica knows of its group at one moment.
 *
 * @param role of this replica
 * @param term current term
 * @param leaderUuid empty when there is none known
 * @param configurationIndex raised by each change of the members, and by an election as well
 * @param members as they are agreed on
 * @param pending the members that are being agreed on; empty when no others are
 */
public record ConsensusView(
    Role role,
    long term,
    String leaderUuid,
    long configurationIndex,
    List<Member> members,
    List<Member> pending) {
  /** Roles as the protocol names them. */
  public enum Role {
    FOLLOWER,
    LEADER,
    LEARNER,
    NON_PARTICIPANT
  }

  /** How a member is, as its leader sees it. */
  public enum Health {
    /** Of a member that this leader has not heard from yet, and of all when another leads. */
    UNKNOWN,
    HEALTHY,
    /** Silent for too long. */
    FAILED,
    /** It needs what is not there any more: it must be copied anew. */
    FAILED_UNRECOVERABLE;

    public boolean isFailed() {
      return this == FAILED || this == FAILED_UNRECOVERABLE;
    }
  }

  /**
   * One replica of the group.
   *
   * @param raftAddress host and port of its server's Raft port; empty before it has joined
   * @param rpcAddress where its server served RPC when it became a member; null when not known
   * @param promote whether it is to get a vote once it has caught up
   * @param replace whether another is to take its place
   */
  public record Member(
      String serverUuid,
      String raftAddress,
      String rpcAddress,
      boolean voter,
      boolean promote,
      boolean replace,
      Health health) {}

  public boolean isLeader() {
    return role == Role.LEADER;
  }

  public Optional<Member> member(String serverUuid) {
    return members.stream().filter(m -> m.serverUuid().equals(serverUuid)).findFirst();
  }
}
