package dev.kudu4j.server.replica.members;

import java.util.Optional;

/** One change of a group's members, as requested. */
public sealed interface MemberChange {
  /** The server whose membership changes. */
  String serverUuid();

  /**
   * Adds a server, at first without a vote.
   *
   * @param rpcAddress host:port where it serves RPC; null when not known
   * @param promote whether it gets a vote once it has caught up
   */
  record Add(String serverUuid, String rpcAddress, boolean promote, boolean replace)
      implements MemberChange {
    @Override
    public String toString() {
      return "add P " + serverUuid + (promote ? " as a voter once it has caught up" : "");
    }
  }

  /** Removes a member that does not lead. */
  record Remove(String serverUuid) implements MemberChange {
    @Override
    public String toString() {
      return "remove P " + serverUuid;
    }
  }

  /** Changes something about a member; an empty value leaves it as it is. */
  record Modify(
      String serverUuid,
      Optional<Boolean> voter,
      Optional<Boolean> promote,
      Optional<Boolean> replace)
      implements MemberChange {
    @Override
    public String toString() {
      return "modify P "
          + serverUuid
          + voter.map(is -> ", voter: " + is).orElse("")
          + promote.map(is -> ", promote: " + is).orElse("")
          + replace.map(is -> ", replace: " + is).orElse("");
    }
  }
}
