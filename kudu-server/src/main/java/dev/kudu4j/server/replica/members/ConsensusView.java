package dev.kudu4j.server.replica.members;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replica's view of its group at one moment.
 *
 * @param role role of this replica
 * @param term current term
 * @param leaderUuid empty if unknown
 * @param configurationIndex increased by each change of the members and by each election
 * @param members members of the committed configuration, and servers that are joining the group
 * @param pending the members of a change that is not committed yet; empty if there is none
 */
public record ConsensusView(
    Role role,
    long term,
    String leaderUuid,
    long configurationIndex,
    List<Member> members,
    List<Member> pending) {
  /** Roles, with the names of the protocol. */
  public enum Role {
    FOLLOWER,
    LEADER,
    LEARNER,
    NON_PARTICIPANT
  }

  /** The health of a member, as seen by the leader of the group. */
  public enum Health {
    /**
     * The leader has not received a response from the member yet, or the replica that reports this
     * view does not lead.
     */
    UNKNOWN,
    HEALTHY,
    /** The member has been silent for too long. */
    FAILED,
    /**
     * The member needs a deleted part of the log, or its replica failed: it must be copied again.
     */
    FAILED_UNRECOVERABLE;

    public boolean isFailed() {
      return this == FAILED || this == FAILED_UNRECOVERABLE;
    }
  }

  /**
   * One replica of the group.
   *
   * @param raftAddress host:port of its server's Raft port; empty while the server is joining
   * @param rpcAddress host:port where its server served RPC when it became a member; null if
   *     unknown
   * @param promote whether it is promoted to a voter once it has caught up
   * @param replace whether another member will replace it
   */
  public record Member(
      String serverUuid,
      String raftAddress,
      @Nullable String rpcAddress,
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
