package dev.kudu4j.server.replica.members;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One change of a group's members, as requested. */
public sealed interface MemberChange {
  /** The server whose membership changes. */
  String serverUuid();

  /**
   * Adds a server, which initially has no vote.
   *
   * @param rpcAddress host:port where the server serves RPC; null if unknown
   * @param promote whether the server becomes a voter once it has caught up
   */
  record Add(String serverUuid, @Nullable String rpcAddress, boolean promote, boolean replace)
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

  /** Changes properties of a member; an empty {@code Optional} leaves the property unchanged. */
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
