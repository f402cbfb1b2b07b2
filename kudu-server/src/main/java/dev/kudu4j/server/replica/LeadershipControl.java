package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.server.raft.RaftMember;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Steps down, transfers the leadership or starts an election, on request. Thread-safe. */
final class LeadershipControl {
  private final String tabletId;
  private final String serverUuid;
  private final Supplier<RaftMember> raft;
  private final BooleanSupplier elected;
  private volatile boolean steppingDown;

  /**
   * @param raft called only once the replica has started
   * @param elected whether this replica leads, even if it does not take writes yet
   */
  LeadershipControl(
      String tabletId, String serverUuid, Supplier<RaftMember> raft, BooleanSupplier elected) {
    this.tabletId = tabletId;
    this.serverUuid = serverUuid;
    this.raft = raft;
    this.elected = elected;
  }

  /** Whether a request to step down or to transfer the leadership is being executed. */
  boolean isSteppingDown() {
    return steppingDown;
  }

  /** See {@link TabletReplica#stepDown}. */
  CompletableFuture<Void> stepDown() {
    return elected.getAsBoolean() ? whileSteppingDown(raft.get().stepDown()) : notLeader();
  }

  /** See {@link TabletReplica#transferLeadership}. */
  CompletableFuture<Void> transfer(Optional<String> newLeader) {
    boolean toItself = newLeader.equals(Optional.of(serverUuid));
    if (elected.getAsBoolean() && toItself) {
      return CompletableFuture.completedFuture(null);
    }
    List<String> others = raft.get().otherVoters();
    boolean toNonVoter = newLeader.isPresent() && !toItself && !others.contains(newLeader.get());
    return elected.getAsBoolean() || toNonVoter
        ? whileSteppingDown(raft.get().transferLeadership(newLeader, others))
        : notLeader();
  }

  private CompletableFuture<Void> whileSteppingDown(CompletableFuture<Void> transfer) {
    steppingDown = true;
    return transfer.whenComplete((done, failure) -> steppingDown = false);
  }

  private CompletableFuture<Void> notLeader() {
    KuduException reason = RaftFailures.notLeader(tabletId, null);
    return CompletableFuture.failedFuture(reason);
  }

  /** See {@link TabletReplica#runElection}. */
  boolean runElection() throws IOException {
    return raft.get().isLeader() || raft.get().startElection();
  }
}
