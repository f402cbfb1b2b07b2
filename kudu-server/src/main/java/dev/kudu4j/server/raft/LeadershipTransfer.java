package dev.kudu4j.server.raft;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Gives up the leadership of one tablet, to a chosen member or to the winner of the next election.
 */
final class LeadershipTransfer {
  private static final int HEARD_LATELY_MILLIS = 2_000;

  private final String tabletId;
  private final RaftServer.Division division;
  private final RaftRequests requests;

  LeadershipTransfer(String tabletId, RaftServer.Division division, RaftRequests requests) {
    this.tabletId = tabletId;
    this.division = division;
    this.requests = requests;
  }

  /**
   * Transfers the leadership to a voter, without an election timeout.
   *
   * @param newLeader uuid of the voter; empty for the voter with the highest commit index
   */
  CompletableFuture<Void> to(Optional<String> newLeader, Collection<String> otherVoters) {
    if (newLeader.isPresent() && !otherVoters.contains(newLeader.get())) {
      return CompletableFuture.failedFuture(
          KuduException.invalidArgument(
              "Tablet %s has no voting member on server %s that could take over",
              tabletId, newLeader.get()));
    }
    Optional<String> next = newLeader.or(() -> fittest(otherVoters));
    if (next.isEmpty()) {
      return CompletableFuture.failedFuture(
          KuduException.serviceUnavailable(
              "Tablet %s has no other member that could take over now", tabletId));
    }
    return transfer(next.get());
  }

  /** Steps down; another leader is elected after an election timeout. */
  CompletableFuture<Void> toNobody() {
    return transfer(null);
  }

  private CompletableFuture<Void> transfer(@Nullable String newLeader) {
    CompletableFuture<RaftClientReply> transfer;
    try {
      transfer = requests.transferLeadership(division, newLeader);
    } catch (IOException e) {
      transfer = CompletableFuture.failedFuture(e);
    }
    return transfer.handle(
        (reply, thrown) -> {
          Throwable failure = thrown != null ? thrown : reply.getException();
          if (failure != null) {
            throw RaftFailures.explain(tabletId, failure);
          }
          return null;
        });
  }

  /** The voter with the highest commit index, among those that answered recently. */
  private Optional<String> fittest(Collection<String> otherVoters) {
    Set<String> fit = new HashSet<>();
    for (ServerRpcProto follower :
        division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
      if (follower.getLastRpcElapsedTimeMs() < HEARD_LATELY_MILLIS) {
        fit.add(follower.getId().getId().toStringUtf8());
      }
    }
    fit.retainAll(otherVoters);
    return division.getCommitInfos().stream()
        .filter(info -> fit.contains(info.getServer().getId().toStringUtf8()))
        .max(Comparator.comparingLong(CommitInfoProto::getCommitIndex))
        .map(info -> info.getServer().getId().toStringUtf8());
  }
}
