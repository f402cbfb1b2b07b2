package dev.kudu4j.server.replica.members;

import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.INVALID;
import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.NOT_LEADER;
import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.NOT_NOW;
import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.OUTDATED;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.tablet.log.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Changes the members of one tablet's group, as its leader, one change at a time. A change is a log
 * entry with new {@link MemberNotes}, a change of Raft's configuration, or the entry and then the
 * change.
 *
 * <p>This class does not retry. A change that failed or was interrupted may have been made; the
 * caller checks the configuration and tries again.
 *
 * <p>Thread-safe.
 */
public final class MembershipChanger {
  private static final int HEARD_LATELY_MILLIS = 3_000;

  private final String tabletId;
  private final LeadingReplica leader;
  private final Executor executor;
  private final AtomicBoolean underWay = new AtomicBoolean();

  @GuardedBy("this")
  private final List<Waiter> waiters = new ArrayList<>();

  /**
   * One change: the view of the group on which the change is based, and the term in which it must
   * be made.
   */
  private record Attempt(GroupView view, long term) {}

  private record Waiter(long index, CompletableFuture<Void> future) {}

  /**
   * @param executor completes futures that wait for a configuration
   */
  public MembershipChanger(LeadingReplica leader, Executor executor) {
    this.tabletId = leader.tabletId();
    this.leader = leader;
    this.executor = executor;
  }

  LeadingReplica leader() {
    return leader;
  }

  /**
   * Makes all changes of a request, or none. Fails with {@link MemberChangeRejectedException}, or
   * with a failure of Raft; in the latter case the change may have been made.
   *
   * @param casIndex index of the configuration on which the change is based
   */
  public CompletableFuture<Void> change(List<MemberChange> changes, OptionalLong casIndex) {
    return exclusively(
        attempt -> {
          checkIndex(attempt.view, casIndex);
          if (changes.isEmpty()) {
            throw MemberChangeRejectedException.of(
                INVALID, "The request contains no change of tablet %s", tabletId);
          }
          return carryOut(attempt, MembershipPlan.of(group(attempt.view), changes));
        });
  }

  private void checkIndex(GroupView view, OptionalLong casIndex) {
    long index = view.configurationIndex();
    if (casIndex.isPresent() && casIndex.getAsLong() != index) {
      throw MemberChangeRejectedException.of(
          OUTDATED,
          "The change of tablet %s is based on configuration %d, but configuration %d is committed",
          tabletId,
          casIndex.getAsLong(),
          index);
    }
  }

  /** Adds a joining server, whose replica runs already, to the configuration as a learner. */
  CompletableFuture<Void> addLearner(String serverUuid, String raftAddress) {
    return exclusively(
        attempt -> {
          GroupView view = attempt.view;
          MemberNotes.Note note = view.notes().find(serverUuid).orElse(null);
          if (note == null || !note.joining() || view.committed().contains(serverUuid)) {
            return CompletableFuture.completedFuture(null); // already added, or no longer joining
          }
          GroupPeer learner =
              new GroupPeer(
                  serverUuid, raftAddress, note.rpcAddress().isEmpty() ? null : note.rpcAddress());
          List<GroupPeer> listeners = new ArrayList<>(view.committed().listeners());
          listeners.add(learner);
          return carryOut(
                  attempt, new MembershipPlan(view.notes(), view.committed().voters(), listeners))
              .thenCompose(done -> noteAdded(attempt, serverUuid));
        });
  }

  private CompletableFuture<Void> noteAdded(Attempt attempt, String serverUuid) {
    return logNotes(attempt, attempt.view.notes().with(serverUuid, note -> note.joining(false)));
  }

  /**
   * Removes notes that the configuration has made redundant. Such notes remain if a leader was
   * interrupted in a change.
   */
  CompletableFuture<Void> dropOutdatedNotes() {
    return exclusively(
        attempt -> {
          GroupView view = attempt.view;
          MemberNotes tidied = view.notes().onlyOf(view.committed().servers());
          for (String server : view.committed().servers()) {
            tidied = tidied.with(server, note -> note.joining(false));
          }
          return tidied.equals(view.notes())
              ? CompletableFuture.completedFuture(null)
              : logNotes(attempt, tidied);
        });
  }

  private MembershipPlan.Group group(GroupView view) {
    Set<String> answering = new TreeSet<>();
    answering.add(view.raft().serverUuid());
    for (RaftMember.Follower follower : view.raft().followers()) {
      if (follower.silentMillis() < HEARD_LATELY_MILLIS) {
        answering.add(follower.serverUuid());
      }
    }
    return new MembershipPlan.Group(
        tabletId, view.raft().serverUuid(), view.committed(), view.notes(), answering);
  }

  private CompletableFuture<Void> carryOut(Attempt attempt, MembershipPlan plan) {
    CompletableFuture<Void> noted =
        plan.notes().equals(attempt.view.notes())
            ? CompletableFuture.completedFuture(null)
            : logNotes(attempt, plan.notes());
    return plan.changesConfiguration(attempt.view.committed())
        ? noted.thenCompose(done -> configure(attempt.view, plan))
        : noted;
  }

  private CompletableFuture<Void> logNotes(Attempt attempt, MemberNotes notes) {
    return leader.log(
        LogEntry.encodeAttributes(Map.of(MemberNotes.ATTRIBUTE, notes.encode())), attempt.term);
  }

  private CompletableFuture<Void> configure(GroupView view, MembershipPlan plan) {
    return view.raft()
        .changeConfiguration(view.committed(), plan.voters(), plan.listeners())
        .thenCompose(this::whenCommitted);
  }

  /**
   * Completes once this replica has applied the configuration with this log index and thus knows
   * that the configuration is committed.
   */
  private CompletableFuture<Void> whenCommitted(long index) {
    Waiter waiter = new Waiter(index, new CompletableFuture<>());
    synchronized (this) {
      waiters.add(waiter);
    }
    configurationCommitted(leader.group().committed().index());
    return waiter.future;
  }

  /**
   * Completes the changes that wait for a configuration up to this index, because it is applied.
   */
  public void configurationCommitted(long index) {
    List<Waiter> ready = new ArrayList<>();
    synchronized (this) {
      waiters.removeIf(waiter -> waiter.index <= index && ready.add(waiter));
    }
    ready.forEach(waiter -> waiter.future.completeAsync(() -> null, executor));
  }

  /** Fails all waiting changes, because the replica no longer serves. */
  public void close(KuduException failure) {
    List<Waiter> all;
    synchronized (this) {
      all = List.copyOf(waiters);
      waiters.clear();
    }
    all.forEach(waiter -> executor.execute(() -> waiter.future.completeExceptionally(failure)));
  }

  /** Runs one change; fails if this replica does not lead, or if another change is in progress. */
  private CompletableFuture<Void> exclusively(Function<Attempt, CompletableFuture<Void>> change) {
    long term = leader.term();
    if (term == RaftMember.NO_TERM) {
      return CompletableFuture.failedFuture(
          MemberChangeRejectedException.of(
              NOT_LEADER, "This replica is not the leader of tablet %s", tabletId));
    }
    if (!underWay.compareAndSet(false, true)) {
      return CompletableFuture.failedFuture(anotherIsUnderWay());
    }
    leader.votersMayChange(true);
    CompletableFuture<Void> result;
    try {
      GroupView view = leader.group();
      result =
          view.isChanging()
              ? CompletableFuture.failedFuture(anotherIsUnderWay())
              : change.apply(new Attempt(view, term));
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    return result.handle(
        (done, thrown) -> {
          underWay.set(false);
          leader.votersMayChange(false);
          if (thrown != null) {
            throw thrown instanceof CompletionException failed
                ? failed
                : new CompletionException(thrown);
          }
          return null;
        });
  }

  private MemberChangeRejectedException anotherIsUnderWay() {
    return MemberChangeRejectedException.of(
        NOT_NOW,
        "A change of the members of tablet %s is in progress, and only one is allowed at a time",
        tabletId);
  }
}
