package dev.kudu4j.server.replica.members;

import java.util.List;
import java.util.Optional;

/**
 * What a replica knows of its group at one moment.
 *
 * @param role of this replica
 * @param term current term
 * @param leaderUuid empty if unknown
 * @param configurationIndex raised by each change of the members, and by an election as well
 * @param members as a majority has them
 * @param pending the members of a change that is not committed yet; empty if there is none
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

  /** The health of a member, as its leader sees it. */
  public enum Health {
    /** The leader has not heard from the member yet, or this replica does not lead. */
    UNKNOWN,
    HEALTHY,
    /** Silent for too long. */
    FAILED,
    /**
     * It needs a part of the log that was deleted, or its replica failed: it must be copied again.
     */
    FAILED_UNRECOVERABLE;

    public boolean isFailed() {
      return this == FAILED || this == FAILED_UNRECOVERABLE;
    }
  }

  /**
   * One replica of the group.
   *
   * @param raftAddress host and port of its server's Raft port; empty before it has joined
   * @param rpcAddress where its server served RPC when it became a member; null if unknown
   * @param promote whether it is promoted to a voter once it has caught up
   * @param replace whether another member will take its place
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
