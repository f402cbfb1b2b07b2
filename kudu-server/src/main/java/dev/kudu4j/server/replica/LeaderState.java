package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.members.ConsensusView;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The state of a replica as leader of its group: elected by Raft, then confirmed by a majority,
 * then open for writes until its term ends. This class also holds what the leader learns about the
 * other members during the term.
 *
 * <p>Thread-safe.
 */
final class LeaderState {
  /** Receives the beginning and the end of a leadership, to write them to the server's log. */
  interface Listener {
    void elected(long term);

    /**
     * @param tookWrites whether the leader had begun to take writes
     */
    void leadershipLost(long term, boolean tookWrites, String reason);
  }

  private final SafeTime safeTime;
  private final BooleanSupplier onlyVoter;
  private final Runnable changed;
  private final Executor executor;
  private final Listener listener;
  private final LeadershipProof proof;
  private final LeaderTerm term = new LeaderTerm();
  private final Set<String> failedMembers = ConcurrentHashMap.newKeySet();
  private volatile CompletableFuture<Void> begun = new CompletableFuture<>();
  private volatile Map<String, ConsensusView.Health> health = Map.of();

  /**
   * @param self uuid of this server
   * @param safeTime notified when the leadership begins and ends
   * @param onlyVoter whether no other server votes in the group
   * @param changed runs after each change; must not block
   * @param executor completes futures that wait until this replica takes writes
   */
  LeaderState(
      String self,
      SafeTime safeTime,
      BooleanSupplier onlyVoter,
      Runnable changed,
      Executor executor,
      Listener listener) {
    this.safeTime = safeTime;
    this.onlyVoter = onlyVoter;
    this.changed = changed;
    this.executor = executor;
    this.listener = listener;
    this.proof = new LeadershipProof(self);
  }

  /** The term in which this replica takes writes, or {@link LeaderTerm#NONE}. */
  long term() {
    return term.now();
  }

  /** The term for which this replica was elected, whether or not it takes writes yet. */
  long electedTerm() {
    return term.elected();
  }

  /** The term in which this replica leads and takes writes, or {@link LeaderTerm#NONE}. */
  long leadingTerm() {
    return term.now();
  }

  boolean takesWrites() {
    return term.now() != LeaderTerm.NONE;
  }

  /** Completes when this replica leads and takes writes; fails if the replica fails. */
  CompletableFuture<Void> whenItTakesWrites() {
    return begun.copy();
  }

  /**
   * Called when Raft has elected this replica and everything before the term is applied. If this
   * server is the only voter, the replica takes writes immediately.
   *
   * @return whether a majority must confirm this replica before it takes writes
   */
  boolean elected(long inTerm) {
    if (!term.elected(inTerm)) {
      return false;
    }
    if (onlyVoter.getAsBoolean()) {
      takeWrites(inTerm);
      return false;
    }
    return true;
  }

  /**
   * Called when another member has confirmed that it was in the term {@code inTerm} after this
   * leader's clock had shown {@code time}. Once a majority has confirmed, the leader takes writes.
   *
   * @param electorates sets of voters; a majority of each set is needed
   */
  void confirmed(String serverUuid, long inTerm, long time, Collection<Set<String>> electorates) {
    if (term.elected() != inTerm) {
      return;
    }
    failedMembers.remove(serverUuid);
    long proved = proof.confirm(serverUuid, inTerm, time, electorates);
    if (proved > 0) {
      takeWrites(inTerm);
      safeTime.proved(proved);
    }
  }

  /**
   * Opens the leader for writes, unless it takes writes already. Called once a majority has
   * confirmed the leader in its term. The leader's clock is then past the clocks of that majority,
   * and therefore past every snapshot that an earlier leader served, because at least one member of
   * the majority had confirmed that snapshot.
   */
  private void takeWrites(long inTerm) {
    boolean begins =
        term.begin(
            inTerm,
            () -> {
              safeTime.lead(onlyVoter.getAsBoolean());
              begun.completeAsync(() -> null, executor);
            });
    if (begins) {
      listener.elected(inTerm);
      changed.run();
    }
  }

  /**
   * Ends the leadership of all terms up to {@code upTo}.
   *
   * @param reason reason for the log; evaluated only if the replica led one of these terms
   */
  void end(long upTo, Supplier<String> reason) {
    long ledBefore = term.elected();
    boolean tookWrites = takesWrites();
    boolean ends =
        term.end(
            upTo,
            () -> {
              safeTime.follow();
              health = Map.of();
              failedMembers.clear();
              begun = new CompletableFuture<>();
            });
    if (ends) {
      listener.leadershipLost(ledBefore, tookWrites, reason.get());
    }
  }

  /** Ends the leadership because the replica has ended. */
  void close(KuduException reason) {
    long ledBefore = term.elected();
    boolean tookWrites = takesWrites();
    if (term.end(Long.MAX_VALUE, () -> {})) {
      listener.leadershipLost(ledBefore, tookWrites, String.valueOf(reason.getMessage()));
    }
    begun.completeExceptionally(reason);
  }

  // ---- the other members

  /** Another member reports that its replica has failed, or was evicted. */
  void memberFailed(String serverUuid, long inTerm) {
    if (term.elected() == inTerm) {
      failedMembers.add(serverUuid);
    }
  }

  boolean hasReportedFailure(String serverUuid) {
    return failedMembers.contains(serverUuid);
  }

  /** The health of the members as this leader sees it; empty if it does not lead. */
  Map<String, ConsensusView.Health> health() {
    return health;
  }

  void healthChanged(Map<String, ConsensusView.Health> seen) {
    if (!seen.equals(health)) {
      health = Map.copyOf(seen);
      changed.run();
    }
  }
}
