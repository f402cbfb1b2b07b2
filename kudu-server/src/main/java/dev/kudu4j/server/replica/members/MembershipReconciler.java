package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.replica.members.ConsensusView.Health;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Maintains the members of one group during one term of its leader, without a request of a master
 * or an operator: it assesses their health, asks new members to copy the tablet, adds and promotes
 * them, transfers the leadership if the leader's replica is to be replaced, and evicts failed
 * members if the options say so. It makes one step at a time. Each visit decides from the current
 * state, so this object may be discarded at any time.
 *
 * <p>Used only by the thread of the {@link MembershipMonitor}. Steps end on other threads, which
 * then only schedule a visit.
 */
final class MembershipReconciler {
  /** Largest number of log entries that a learner may lack when it is promoted. */
  private static final int SMALL_GAP = 100;

  private static final long HEARD_LATELY_MILLIS = 3_000;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final MembershipChanger membership;
  private final LeadingReplica replica;
  private final long term;
  private final BooleanSupplier quiescing;
  private final RaftOptions options;
  private final TabletCopyRequests copies;
  private final LongSupplier nanoTime;
  private final Runnable visitSoon;
  private final Map<String, Health> health = new HashMap<>();
  private final Map<String, JoiningMember> joining = new HashMap<>();
  private boolean settled;
  private volatile boolean stepUnderWay;
  private volatile long pausedUntil;

  /**
   * @param quiescing whether this server transfers its leaderships to other servers
   * @param visitSoon schedules a visit; called by any thread
   */
  MembershipReconciler(
      MembershipChanger membership,
      long term,
      BooleanSupplier quiescing,
      RaftOptions options,
      TabletCopyRequests copies,
      LongSupplier nanoTime,
      Runnable visitSoon) {
    this.membership = membership;
    this.replica = membership.leader();
    this.term = term;
    this.quiescing = quiescing;
    this.options = options;
    this.copies = copies;
    this.nanoTime = nanoTime;
    this.visitSoon = visitSoon;
    this.pausedUntil = nanoTime.getAsLong();
  }

  MembershipChanger membership() {
    return membership;
  }

  long term() {
    return term;
  }

  /**
   * Whether the last visit found all members healthy, none of them joining or to be replaced, and
   * no step to begin.
   */
  boolean isSettled() {
    return settled && !stepUnderWay && !quiescing.getAsBoolean();
  }

  /** Assesses the members, and begins the next step if none is in progress. */
  void visit() {
    GroupView view = replica.group();
    List<RaftMember.Follower> followers = view.raft().followers();
    requestCopies(view);
    assessHealth(view, followers);
    settled = false;
    if (stepUnderWay || nanoTime.getAsLong() - pausedUntil < 0) {
      return;
    }
    Optional<Step> step = nextStep(view, followers);
    settled =
        step.isEmpty()
            && joining.isEmpty()
            && view.consensus().members().stream().allMatch(m -> health.containsKey(m.serverUuid()))
            && view.consensus().members().size() == 1 + view.raft().otherVoters().size()
            && health.values().stream().allMatch(Health.HEALTHY::equals);
    step.ifPresent(this::begin);
  }

  private interface Step {
    CompletableFuture<Void> begin();
  }

  private Optional<Step> nextStep(GroupView view, List<RaftMember.Follower> followers) {
    return leaving(view)
        .or(() -> outdatedNotes(view))
        .or(this::copied)
        .or(() -> caughtUp(view, followers))
        .or(() -> toBeReplaced(view, followers))
        .or(() -> failed(view));
  }

  private Optional<Step> leaving(GroupView view) {
    return quiescing.getAsBoolean() && !view.raft().otherVoters().isEmpty()
        ? step(
            "Transfers the leadership: this server is quiescing",
            () -> replica.transferLeadership(Optional.empty()))
        : Optional.empty();
  }

  private void begin(Step step) {
    stepUnderWay = true;
    step.begin()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                replica.listener().stepFailed(failure);
                pausedUntil = nanoTime.getAsLong() + PAUSE_NANOS;
              }
              stepUnderWay = false;
              visitSoon.run();
            });
  }

  // ---- health

  private void assessHealth(GroupView view, List<RaftMember.Follower> followers) {
    health
        .keySet()
        .retainAll(view.consensus().members().stream().map(m -> m.serverUuid()).toList());
    health.put(view.raft().serverUuid(), Health.HEALTHY);
    for (RaftMember.Follower follower : followers) {
      Health now = assessHealth(follower);
      Health before = health.put(follower.serverUuid(), now);
      if (before != null && before.isFailed() != now.isFailed()) {
        replica.listener().memberJudged(follower.serverUuid(), now, follower.silentMillis());
      }
    }
    joining.forEach(
        (server, member) -> {
          if (member.hasStalled(failedNanos())) {
            health.put(server, Health.FAILED);
          }
        });
    replica.healthChanged(health);
  }

  private Health assessHealth(RaftMember.Follower follower) {
    if (replica.hasReportedFailure(follower.serverUuid()) || lacksReleasedLog(follower)) {
      return Health.FAILED_UNRECOVERABLE;
    }
    if (follower.silentMillis() >= options.followerFailedMillis()) {
      return Health.FAILED;
    }
    return follower.silentMillis() < HEARD_LATELY_MILLIS && follower.matchIndex() >= 0
        ? Health.HEALTHY
        : health.getOrDefault(follower.serverUuid(), Health.UNKNOWN);
  }

  private boolean lacksReleasedLog(RaftMember.Follower follower) {
    return follower.matchIndex() >= 0 && follower.matchIndex() + 1 < replica.firstLogIndex();
  }

  private long failedNanos() {
    return TimeUnit.MILLISECONDS.toNanos(options.followerFailedMillis());
  }

  private boolean isHealthy(String server) {
    return health.get(server) == Health.HEALTHY;
  }

  // ---- members that join

  private void requestCopies(GroupView view) {
    joining
        .keySet()
        .removeIf(
            server ->
                view.committed().contains(server)
                    || view.notes().find(server).filter(MemberNotes.Note::joining).isEmpty());
    for (MemberNotes.Note note : view.notes().byServer().values()) {
      if (note.joining() && !view.committed().contains(note.serverUuid())) {
        joining
            .computeIfAbsent(note.serverUuid(), server -> new JoiningMember(nanoTime))
            .ask(
                copies,
                new TabletCopyRequests.Request(
                    replica.tabletId(),
                    note.serverUuid(),
                    note.rpcAddress().isEmpty() ? null : note.rpcAddress(),
                    term),
                visitSoon);
      }
    }
  }

  private Optional<Step> outdatedNotes(GroupView view) {
    boolean outdatedNotes =
        view.notes().byServer().values().stream()
            .anyMatch(note -> note.joining() && view.committed().contains(note.serverUuid()));
    return outdatedNotes ? Optional.of(() -> membership.dropOutdatedNotes()) : Optional.empty();
  }

  private Optional<Step> copied() {
    for (Map.Entry<String, JoiningMember> entry : joining.entrySet()) {
      Optional<String> raftAddress = entry.getValue().raftAddress();
      if (raftAddress.isPresent()) {
        return step(
            "Adds P " + entry.getKey() + " to the group as a learner: it has copied the tablet",
            () -> {
              entry.getValue().askAgainLater(); // if addLearner fails, the replica may be gone
              return membership.addLearner(entry.getKey(), raftAddress.get());
            });
      }
    }
    return Optional.empty();
  }

  private Optional<Step> caughtUp(GroupView view, List<RaftMember.Follower> followers) {
    long committed = view.raft().committedIndex();
    for (GroupPeer listener : view.committed().listeners()) {
      String server = listener.serverUuid();
      boolean promote = view.notes().find(server).filter(MemberNotes.Note::promote).isPresent();
      boolean isThere =
          followers.stream()
              .anyMatch(
                  f ->
                      f.serverUuid().equals(server)
                          && f.silentMillis() < HEARD_LATELY_MILLIS
                          && f.matchIndex() + SMALL_GAP > committed);
      if (promote && isThere && isHealthy(server)) {
        return change(
            "Promotes P " + server + " to a voter: it has caught up with the log",
            new MemberChange.Modify(server, Optional.of(true), Optional.empty(), Optional.empty()));
      }
    }
    return Optional.empty();
  }

  // ---- members that leave

  private Optional<Step> toBeReplaced(GroupView view, List<RaftMember.Follower> followers) {
    String self = view.raft().serverUuid();
    if (!isToBeReplaced(view, self)) {
      return Optional.empty();
    }
    return followers.stream()
        .filter(f -> view.committed().isVoter(f.serverUuid()) && isHealthy(f.serverUuid()))
        .filter(f -> !isToBeReplaced(view, f.serverUuid()))
        .max(Comparator.comparingLong(RaftMember.Follower::matchIndex))
        .flatMap(
            next ->
                step(
                    "Transfers the leadership to P "
                        + next.serverUuid()
                        + ": this replica is to be replaced",
                    () -> replica.transferLeadership(Optional.of(next.serverUuid()))));
  }

  private static boolean isToBeReplaced(GroupView view, String server) {
    return view.notes().find(server).filter(MemberNotes.Note::replace).isPresent();
  }

  private Optional<Step> failed(GroupView view) {
    if (!options.evictFirst()) {
      return Optional.empty();
    }
    List<String> voters = view.committed().voters().stream().map(GroupPeer::serverUuid).toList();
    long healthy = voters.stream().filter(this::isHealthy).count();
    if (2 * healthy <= voters.size()) {
      return Optional.empty();
    }
    return voters.stream()
        .filter(server -> health.getOrDefault(server, Health.UNKNOWN).isFailed())
        .findFirst()
        .flatMap(
            server ->
                change(
                    "Evicts P " + server + ", which is " + health.get(server),
                    new MemberChange.Remove(server)));
  }

  private Optional<Step> change(String what, MemberChange change) {
    return step(what, () -> membership.change(List.of(change), OptionalLong.empty()));
  }

  /** A step that logs {@code what} when it begins. */
  private Optional<Step> step(String what, Step step) {
    return Optional.of(
        () -> {
          replica.listener().stepBegun(what);
          return step.begin();
        });
  }
}
