package dev.kudu4j.server.replica;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.protocol.RaftPeer;

/**
 * Repairs by hand a group whose majority is lost for good: one replica is told who the members are
 * from now on. It hears it as from a leader of the next term, so it does what any follower does: it
 * logs the configuration and goes by it. What the lost majority had committed and this replica has
 * not is lost.
 */
final class ForcedMembers {
  private final String tabletId;
  private final RaftHost raft;
  private final GroupView group;

  ForcedMembers(String tabletId, RaftHost raft, GroupView group) {
    this.tabletId = tabletId;
    this.raft = raft;
    this.group = group;
  }

  /**
   * @param servers who stays, this one among them
   */
  CompletableFuture<Void> take(Set<String> servers) {
    List<RaftPeer> voters = new ArrayList<>();
    Set<String> strangers = new TreeSet<>(servers);
    List<RaftPeer> all = new ArrayList<>(group.agreed().voters());
    all.addAll(group.agreed().listeners());
    for (RaftPeer peer : all) {
      if (strangers.remove(peer.getId().toString())) {
        voters.add(peer);
      }
    }
    try {
      check(servers, strangers);
      return raft.requests().force(group.division(), voters).thenAccept(this::stand);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(RaftFailures.explain(tabletId, e));
    }
  }

  private void check(Set<String> servers, Set<String> strangers) {
    if (!servers.contains(raft.serverUuid())) {
      throw ChangeRefused.of(
          ChangeRefused.Reason.INVALID,
          "Server %s must be in the configuration that is forced on it",
          raft.serverUuid());
    }
    if (!strangers.isEmpty()) {
      throw ChangeRefused.of(
          ChangeRefused.Reason.INVALID,
          "Servers %s are no members of tablet %s and cannot be made ones by force",
          strangers,
          tabletId);
    }
  }

  private void stand(AppendEntriesReplyProto reply) {
    if (reply.getResult() != AppendResult.SUCCESS) {
      throw ChangeRefused.of(
          ChangeRefused.Reason.NOT_NOW,
          "The replica of tablet %s did not take the configuration: %s",
          tabletId,
          reply.getResult());
    }
    raft.requests().electSoon(group.division());
  }
}
