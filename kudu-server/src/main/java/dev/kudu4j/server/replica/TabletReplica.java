package dev.kudu4j.server.replica;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.election.ElectionTracker;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MemberChange;
import dev.kudu4j.server.replica.members.MemberChangeRejected;
import dev.kudu4j.server.replica.members.MembershipChanger;
import dev.kudu4j.server.replica.members.UnsafeConfigurationChange;
import dev.kudu4j.server.replica.write.WriteCounters;
import dev.kudu4j.server.replica.write.WriteQueue;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One replica of a tablet: a state that Raft keeps the same as that of the other members of its
 * group.
 *
 * <p>This is the door of the package. Writes are gathered in the {@link WriteQueue}, ordered by
 * Raft, and applied and answered by the {@link ReplicaStateMachine}; {@link SafeTime} says what may
 * be read. The life cycle is {@link ReplicaLifeCycle}, its beginning {@link ReplicaStart}, its end
 * {@link ReplicaEnd}.
 *
 * <pre>
 *   create, open --&gt; STARTING --&gt; RUNNING --&gt; STOPPED
 *                        \           \----&gt; FAILED      applying or logging failed; reason() says why
 *                         \----------\----&gt; EVICTED     the group goes on without it
 * </pre>
 *
 * <p>Thread-safe. Nothing here assumes that the group has one member.
 */
public final class TabletReplica implements AutoCloseable {
  /** Where a replica is in its life. */
  public enum State {
    STARTING,
    RUNNING,
    FAILED,
    /** It is no longer a member of its group. It neither serves nor votes; its files stay. */
    EVICTED,
    STOPPED
  }

  /** Hears of each change of the replica's role, configuration or state; must not block. */
  @FunctionalInterface
  public interface ChangeListener {
    void changed(TabletReplica replica);
  }

  /** How long a change of members waits for an elected leader to become ready. */
  private static final int READY_MILLIS = 2_000;

  private final String tabletId;
  final ReplicaEnvironment environment;
  final ReplicaLogger logger;
  final ElectionTracker elections;
  final LeaderState leader;
  final LeadershipControl control;
  final ReplicaGroup group;
  final ReplicaLifeCycle lifeCycle;
  final ReplicaEnd end = new ReplicaEnd(this);
  final WriteSubmitter writes;
  final LogReplay replay = new LogReplay();
  final ReplicaStateMachine machine;
  final ReplicaLog log;
  private final SafeTime safeTime;
  private final MembershipChanger membership;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();

  private TabletReplica(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<ChangeListener> listeners) {
    this.tabletId = tabletId;
    this.environment = environment;
    this.listeners.addAll(listeners);
    this.lifeCycle = new ReplicaLifeCycle(tabletId);
    this.group = new ReplicaGroup(state, this::health);
    this.logger =
        new ReplicaLogger(
            new ReplicaPrefix(tabletId, environment.raft().serverUuid()),
            group::raft,
            environment.options());
    this.elections = new ElectionTracker(group::isCandidate, logger, environment.nanoTime());
    this.membership = new MembershipChanger(new GroupLeader(this), environment.executor());
    this.safeTime =
        new SafeTime(
            environment.clock(),
            state.maxTimestamp(),
            state.checkpoint().index(),
            environment.executor(),
            () -> environment.requests().send(this));
    this.leader =
        new LeaderState(
            environment.raft().serverUuid(),
            safeTime,
            group::isOnlyVoter,
            this::notifyListeners,
            environment.executor(),
            new LeadershipLines());
    this.control =
        new LeadershipControl(
            tabletId, environment.raft().serverUuid(), group::raft, this::isElected);
    this.writes = writeSubmitter(state);
    this.machine =
        new ReplicaStateMachine(
            tabletId,
            state,
            safeTime,
            replay,
            environment.applying(),
            environment.gate(),
            environment.nanoTime(),
            elections,
            new RaftEvents(this));
    this.log = new ReplicaLog(tabletId, environment, state, machine, group::raft);
  }

  private Map<String, ConsensusView.Health> health() {
    return leader.health();
  }

  private WriteSubmitter writeSubmitter(ReplicaState state) {
    return new WriteSubmitter(
        tabletId,
        new WriteQueue.Limits(
            environment.raft().options().maxEntryBytes(),
            environment.options().maxQueuedBytes(),
            environment.options().pipelineBytes()),
        environment.admission(),
        environment.executor(),
        environment.nanoTime(),
        this::checkLeader,
        entry -> group.raft().submit(entry),
        state::remembered);
  }

  /**
   * Starts the first replica of a new tablet here.
   *
   * @param state takes it: closed with the replica, also if this fails
   * @param members all of the group, this server among them
   */
  public static TabletReplica create(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<RaftHost.Peer> members,
      ChangeListener... listeners)
      throws IOException {
    return ReplicaStart.start(
        new TabletReplica(tabletId, environment, state, List.of(listeners)),
        state,
        machine -> environment.raft().create(tabletId, members, machine));
  }

  /**
   * Starts a replica whose log and state are here. Replays the log above the state's checkpoint;
   * reads of a snapshot wait for that. Fails with NOT_FOUND if there is no log, as after a crash in
   * the middle of {@link #create}.
   *
   * @param state takes it: closed with the replica, also when this fails
   */
  public static TabletReplica open(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      ChangeListener... listeners)
      throws IOException {
    return ReplicaStart.start(
        new TabletReplica(tabletId, environment, state, List.of(listeners)),
        state,
        machine -> environment.raft().open(tabletId, machine));
  }

  /**
   * Starts a replica in a group that others have: its state was copied, and the group's leader
   * sends the log behind the state's checkpoint once it has added this server. Until then, also
   * after restarts, the replica is a listener.
   *
   * @param state takes it: closed with the replica, also when this fails
   * @param members the group's other members
   * @param vote this server's last one in the group: see {@link LastVote#of}
   */
  public static TabletReplica join(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<RaftHost.Peer> members,
      LastVote vote,
      ChangeListener... listeners)
      throws IOException {
    return ReplicaStart.start(
        new TabletReplica(tabletId, environment, state, List.of(listeners)),
        state,
        machine -> environment.raft().join(tabletId, members, state.checkpoint(), vote, machine));
  }

  public String tabletId() {
    return tabletId;
  }

  /** The prefix of log lines about this replica. */
  public ReplicaPrefix prefix() {
    return logger.prefix();
  }

  public State lifeCycleState() {
    return lifeCycle.state();
  }

  /** Whether the replica has failed or was evicted: only a copy could make it serve again. */
  public boolean isLost() {
    State now = lifeCycleState();
    return now == State.FAILED || now == State.EVICTED;
  }

  /** Why the replica has failed, or null. */
  public Throwable reason() {
    return lifeCycle.reason();
  }

  public SafeTime safeTime() {
    return safeTime;
  }

  /** Whether this replica leads and takes writes. */
  public boolean isLeader() {
    return leader.takesWrites() && lifeCycle.isRunning();
  }

  /** Completes when this replica leads and takes writes; fails if the replica does. */
  public CompletableFuture<Void> whenLeader() {
    return leader.whenItTakesWrites();
  }

  /** Whether the latest rows may be read now: see {@link #whenCurrent}. */
  public boolean isCurrent() {
    return replay.isDone() && !leadsButIsNotReady();
  }

  /**
   * Completes when what this replica has applied may be read as the latest: after a restart
   * everything that its log held, at a new leader everything before its term. So no acknowledged
   * row is missing. Fails if the replica does.
   */
  public CompletableFuture<Void> whenCurrent() {
    return replay
        .whenDone()
        .thenComposeAsync(
            done -> leadsButIsNotReady() ? whenLeader() : CompletableFuture.completedFuture(null),
            environment.executor());
  }

  private boolean leadsButIsNotReady() {
    return !leader.takesWrites() && group.raft().isLeader();
  }

  // ---- writing

  /**
   * Writes rows: logs them, applies them, and answers with the outcome of each. A retry of a
   * request gets the answer of the first try.
   *
   * <p>Fails with ILLEGAL_STATE if this replica does not lead (the outcome may be unknown: retry
   * under the same id), SERVICE_UNAVAILABLE if too much is under way, TIMED_OUT if the deadline
   * passed before the rows were logged, INVALID_ARGUMENT for a row that is too large.
   *
   * <p>The answer completes on the thread that applies: dependent actions must be short and must
   * not block.
   */
  public CompletableFuture<RequestResult> write(WriteSubmission submission) {
    return writes.write(submission);
  }

  /** Changes the schema, in log order with the writes. */
  public CompletableFuture<Void> alterSchema(Schema schema, int schemaVersion, String tableName) {
    return alterSchema(schema, schemaVersion, tableName, Map.of());
  }

  /**
   * Changes the schema together with some of the descriptor's attributes.
   *
   * @param attributes replace those of the same names
   */
  public CompletableFuture<Void> alterSchema(
      Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
    return writes
        .alterSchema(schema, schemaVersion, tableName, attributes)
        .thenApply(result -> null);
  }

  private void checkLeader() {
    checkRunning();
    if (!leader.takesWrites()) {
      if (group.raft().isLeader() || group.raft().isOnlyVoter()) {
        throw KuduException.serviceUnavailable(
            "The leader of tablet %s is not ready yet; try again", tabletId);
      }
      throw RaftFailures.notLeader(tabletId, null);
    }
  }

  /** Throws the replica's failure, or SERVICE_UNAVAILABLE while it is not running. */
  public void checkRunning() {
    lifeCycle.checkRunning();
  }

  // ---- the log and the disk

  /**
   * Makes the state durable and releases the log below it. Blocks for as long as the writing takes;
   * one at a time.
   *
   * @return the new checkpoint
   */
  public LogPosition flush() throws IOException {
    LogPosition checkpoint = log.flush(this::checkRunning);
    releaseLog();
    return checkpoint;
  }

  private void releaseLog() {
    log.release(leader.takesWrites() ? group.view() : null);
  }

  /** Bytes of log applied since the last flush: what a restart would replay. */
  public long unflushedLogBytes() {
    return log.unflushedBytes();
  }

  /** Bytes of log applied since this process opened the replica. */
  public long appliedLogBytes() {
    return machine.appliedBytes();
  }

  /** First index that the log still holds. */
  public long firstLogIndex() {
    return log.firstIndex();
  }

  /**
   * Keeps the log above the index, whatever is flushed, until a minute after the result is closed:
   * for a copy of the state at that index.
   */
  public LogAnchor anchorLog(long index) {
    return log.anchor(index);
  }

  /** The last position in this replica's log; once it has stopped or failed, what it was then. */
  public LogPosition lastLogged() {
    return log.lastLogged();
  }

  /** The last position that a majority holds, as far as this replica knows. */
  public LogPosition lastCommitted() {
    return log.lastCommitted();
  }

  // ---- between the leader and the others

  /** Whether this replica was elected, whether it takes writes already or not. */
  public boolean isElected() {
    return leader.electedTerm() != RaftMember.NO_TERM && lifeCycle.isRunning();
  }

  /** What this leader reports to the others; empty if it does not lead, or there are none. */
  public Optional<LeaderStatus> leaderStatus() {
    long term = leader.electedTerm();
    if (term == RaftMember.NO_TERM || !lifeCycle.isRunning() || !group.raft().hasOthers()) {
      return Optional.empty();
    }
    SafeTime.Promise promise = safeTime.promise();
    long releasable = log.release(group.view());
    return Optional.of(new LeaderStatus(term, promise.time(), promise.index(), releasable));
  }

  /**
   * Takes the status of another member, which leads.
   *
   * @return whether this replica is in the same term: then there was no newer leader when the other
   *     one spoke, as far as this replica's vote counts
   */
  public boolean receive(LeaderStatus status) {
    RaftMember raft = group.raft();
    if (!lifeCycle.isRunning()
        || raft.currentTerm() != status.term()
        || raft.isLeader()
        || !safeTime.isPlausible(status.safeTime())) {
      return false;
    }
    safeTime.promised(new SafeTime.Promise(status.safeTime(), status.safeIndex()));
    log.leaderReleases(status.releasable());
    releaseLog();
    return true;
  }

  /** Another member got this leader's status of the term after its clock had shown the time. */
  public void confirmed(String serverUuid, long term, long time) {
    leader.confirmed(serverUuid, term, time, group.raft().electorates());
  }

  /** Another member reports that its replica has failed, or was evicted. */
  public void memberFailed(String serverUuid, long term) {
    leader.memberFailed(serverUuid, term);
  }

  /** The other servers that vote in the group. */
  public List<String> otherVoters() {
    return group.raft().otherVoters();
  }

  /** The leader's server, or empty when none is known. */
  public Optional<String> leaderUuid() {
    return group.raft().leaderUuid();
  }

  // ---- the group

  /** The other servers of the group that have a replica, by uuid, with their RPC addresses. */
  public Map<String, String> others() {
    return group.others();
  }

  /**
   * Changes the members of the group, as its leader: all changes or none. Completes when a majority
   * has them; consequences, such as that a new member copies the tablet, come later. Fails with
   * {@link MemberChangeRejected}; after any other failure the change may have been made.
   *
   * @param casIndex the {@link ConsensusView#configurationIndex} that the change was decided on
   */
  public CompletableFuture<Void> changeMembers(List<MemberChange> changes, OptionalLong casIndex) {
    return leadsButIsNotReady()
        ? whenLeader()
            .orTimeout(READY_MILLIS, TimeUnit.MILLISECONDS)
            .handle((ready, late) -> null) // then the change is rejected
            .thenCompose(over -> membership.change(changes, casIndex))
        : membership.change(changes, casIndex);
  }

  /**
   * Replaces the configuration at this replica without a vote: for a group that has lost its
   * majority for good. The replica keeps its log, and the named members can elect it.
   *
   * @param servers members that stay, voters as well as listeners, this server among them
   */
  public CompletableFuture<Void> forceMembers(Collection<String> servers) {
    return new UnsafeConfigurationChange(tabletId, group.view()).take(Set.copyOf(servers));
  }

  /** Changes the members of the group while this replica leads it. */
  public MembershipChanger membership() {
    return membership;
  }

  /** Role, term, leader and members, now. */
  public ConsensusView consensus() {
    return group.view().consensus();
  }

  /**
   * Steps down; a member, possibly this one, is elected after a timeout. Fails with ILLEGAL_STATE
   * if this replica does not lead.
   */
  public CompletableFuture<Void> stepDown() {
    return control.stepDown();
  }

  /**
   * Transfers the leadership without a timeout. Fails with ILLEGAL_STATE if this replica does not
   * lead, INVALID_ARGUMENT if the other one does not vote in the group, SERVICE_UNAVAILABLE if it
   * does not take over in time.
   *
   * @param newLeader its server; empty for the one that has most of the log
   */
  public CompletableFuture<Void> transferLeadership(Optional<String> newLeader) {
    return control.transfer(newLeader);
  }

  /** Makes this replica a candidate at once, whoever leads; true if it is one, or leads already. */
  public boolean runElection() throws IOException {
    checkRunning();
    return control.runElection();
  }

  public void addListener(ChangeListener listener) {
    listeners.add(listener);
  }

  void notifyListeners() {
    listeners.forEach(listener -> listener.changed(this));
  }

  // ---- counters

  /** Log entries submitted; fewer than requests if writers share them. */
  public long entriesSubmitted() {
    return writes.entries();
  }

  public long requestsAdmitted() {
    return writes.requests();
  }

  /** Bytes of row data that wait or are under way. */
  public long pendingBytes() {
    return writes.pendingBytes();
  }

  /** Operations under way at this replica, and those that were rejected. */
  public WriteCounters writeCounters() {
    return writes.counters();
  }

  /** How far the replicas of the group are behind, now. */
  public ReplicationLag replicationLag() {
    return ReplicationLag.of(group.raft(), log.lastLogged().index(), log.lastCommitted().index());
  }

  /** Rows that this replica has applied, by outcome. */
  public AppliedRows applied() {
    return machine.applied();
  }

  /** How long it took to append to this replica's log. */
  public Distribution logAppending() {
    return group.raft().appendLatency();
  }

  // ---- the end

  /** Stops the replica, after a flush that runs; files stay. Takes up to a second in Raft. */
  @Override
  public void close() {
    end.stop(false);
  }

  /** Stops the replica and removes its log; the tablet's files are the caller's. */
  public void closeAndDeleteLog() {
    end.stop(true);
  }

  /**
   * Fails the replica if the failure is broken data, so that nobody is answered from it and another
   * replica leads. Whoever reads or rewrites the state's files calls this; every other failure is
   * the caller's to handle.
   */
  public void failIfCorrupt(Throwable failure) {
    if (failure instanceof KuduException known && known.code() == StatusCode.CORRUPTION) {
      end.fail(failure, true);
    }
  }

  /** The log lines about this replica's time as a leader. */
  private final class LeadershipLines implements LeaderState.Listener {
    @Override
    public void elected(long term) {
      logger.elected(term, elections.won(), 1 + otherVoters().size());
    }

    @Override
    public void leadershipLost(long term, boolean tookWrites, String why) {
      logger.leadershipLost(term, tookWrites, why);
    }
  }
}
