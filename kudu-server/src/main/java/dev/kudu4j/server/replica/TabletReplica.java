package dev.kudu4j.server.replica;

import dev.kudu4j.common.rpc.CallTimeline;
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
import dev.kudu4j.server.replica.members.MemberChangeRejectedException;
import dev.kudu4j.server.replica.members.MembershipChanger;
import dev.kudu4j.server.replica.members.UnsafeConfigurationChange;
import dev.kudu4j.server.replica.write.WriteCounters;
import dev.kudu4j.server.replica.write.WriteQueue;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.FeedMark;
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
import org.jspecify.annotations.Nullable;

/**
 * One replica of a tablet: a state that Raft keeps identical on all members of a group.
 *
 * <p>This is the entry point of the package. Writes are batched in the {@link WriteQueue}, ordered
 * by Raft, and applied and answered by the {@link ReplicaStateMachine}; {@link SafeTime} determines
 * which snapshots may be read. The life cycle is {@link ReplicaLifeCycle}, its beginning {@link
 * ReplicaStart}, its end {@link ReplicaEnd}.
 *
 * <pre>
 *   create, open --&gt; STARTING --&gt; RUNNING --&gt; STOPPED
 *                        \           \----&gt; FAILED      applying or logging failed; see reason()
 *                         \----------\----&gt; EVICTED     no longer a member of its group
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class TabletReplica implements AutoCloseable {
  /** The life cycle state of a replica. */
  public enum State {
    STARTING,
    RUNNING,
    FAILED,
    /** No longer a member of its group: it neither serves nor votes. Its files are kept. */
    EVICTED,
    STOPPED
  }

  /** Notified of each change of the replica's role, configuration or state; must not block. */
  @FunctionalInterface
  public interface ChangeListener {
    void changed(TabletReplica replica);
  }

  /** Longest time that a change of members waits for an elected leader to become ready. */
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
  private final TransactionParticipant transactions;
  private final DerivedFeed feed;
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
            group::raftIfStarted,
            environment.options());
    this.elections = new ElectionTracker(group::isCandidate, logger, environment.nanoTime());
    this.membership = new MembershipChanger(new GroupLeader(this), environment.executor());
    FeedMark mark = state.feedMark();
    this.safeTime =
        new SafeTime(
            environment.clock(),
            mark != null,
            mark == null ? state.maxTimestamp() : mark.complete(),
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
    this.transactions =
        new TransactionParticipant(
            tabletId, writes, safeTime, state::openTransactions, environment.executor());
    this.feed = new DerivedFeed(tabletId, writes, safeTime, state);
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
    this.log = new ReplicaLog(tabletId, environment, state, machine, group);
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
        safeTime::mayBegin,
        entry -> group.raft().submit(entry),
        state::remembered);
  }

  /**
   * Starts a replica of a new tablet.
   *
   * @param state owned by the replica, which closes it; also closed if this method fails
   * @param members all members of the group, including this server
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
   * Starts a replica that has a local log and state. Replays the log after the state's checkpoint;
   * reads of a snapshot wait for the replay. Fails with NOT_FOUND if there is no log, for example
   * after a crash during {@link #create}.
   *
   * @param state owned by the replica, which closes it; also closed if this method fails
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
   * Starts a replica in an existing group: its state was copied, and the group's leader sends the
   * log after the state's checkpoint once it has added this server. Until the leader promotes it,
   * also after restarts, the replica is a listener.
   *
   * @param state owned by the replica, which closes it; also closed if this method fails
   * @param members the group's other members
   * @param vote this server's last vote in the group: see {@link LastVote#of}
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

  /**
   * Whether the replica has failed or was evicted, and could serve again only if it were copied
   * again.
   */
  public boolean isLost() {
    State now = lifeCycleState();
    return now == State.FAILED || now == State.EVICTED;
  }

  /** Why the replica has failed, or null. */
  public @Nullable Throwable reason() {
    return lifeCycle.reason();
  }

  public SafeTime safeTime() {
    return safeTime;
  }

  /** Whether this replica runs, leads and takes writes. */
  public boolean isLeader() {
    return leader.takesWrites() && lifeCycle.isRunning();
  }

  /** Completes when this replica leads and takes writes; fails if the replica fails. */
  public CompletableFuture<Void> whenLeader() {
    return leader.whenItTakesWrites();
  }

  /** Whether the latest rows may be read now: see {@link #whenCurrent}. */
  public boolean isCurrent() {
    return replay.isDone() && !leadsButIsNotReady();
  }

  /**
   * Completes when the applied rows may be read as the latest: after a restart, once all entries
   * that the log held are applied; on a new leader, once everything before its term is applied.
   * From then on no acknowledged row is missing. Fails if the replica fails.
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
   * request receives the response of the first attempt.
   *
   * <p>Fails with ILLEGAL_STATE if this replica does not lead (the outcome may be unknown: retry
   * under the same id), SERVICE_UNAVAILABLE if too many writes are in flight, TIMED_OUT if the
   * deadline passed before the rows were logged, INVALID_ARGUMENT for a row that is too large.
   *
   * <p>The response completes on the apply thread: dependent actions must be short and must not
   * block.
   */
  public CompletableFuture<RequestResult> write(WriteSubmission submission) {
    return write(submission, null);
  }

  /**
   * Like {@link #write(WriteSubmission)}.
   *
   * @param timeline records when the rows are submitted, committed and applied; may be null
   */
  public CompletableFuture<RequestResult> write(
      WriteSubmission submission, @Nullable CallTimeline timeline) {
    return writes.write(submission, timeline);
  }

  /** The feed of a derived tablet. */
  public DerivedFeed feed() {
    return feed;
  }

  /** The steps of transactions with rows in this tablet. */
  public TransactionParticipant transactions() {
    return transactions;
  }

  /** Changes the schema, in log order with the writes. */
  public CompletableFuture<Void> alterSchema(Schema schema, int schemaVersion, String tableName) {
    return alterSchema(schema, schemaVersion, tableName, Map.of());
  }

  /**
   * Changes the schema together with some of the descriptor's attributes.
   *
   * @param attributes new values of some attributes; all other attributes are kept
   */
  public CompletableFuture<Void> alterSchema(
      Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
    return writes
        .alterSchema(schema, schemaVersion, tableName, attributes)
        .thenApply(result -> null);
  }

  /**
   * The term in which this replica leads and takes writes. Everything that was logged before the
   * term is applied.
   *
   * @throws KuduException ILLEGAL_STATE if this replica does not lead, and SERVICE_UNAVAILABLE if
   *     it is not ready
   */
  public long leadingTerm() {
    checkLeader();
    long term = leader.leadingTerm();
    if (term == RaftMember.NO_TERM) { // it has just ended
      throw RaftFailures.notLeader(tabletId, null);
    }
    return term;
  }

  /** Whether this replica leads and takes writes in this term. */
  public boolean leadsIn(long term) {
    return term != RaftMember.NO_TERM && leader.leadingTerm() == term && lifeCycle.isRunning();
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

  /**
   * Throws unless the replica is running: ILLEGAL_STATE if it was evicted, else
   * SERVICE_UNAVAILABLE.
   */
  public void checkRunning() {
    lifeCycle.checkRunning();
  }

  // ---- the log and the disk

  /**
   * Makes the state durable and releases the log up to the new checkpoint. Blocks until the state
   * is written; concurrent calls run one after another.
   *
   * @return the new checkpoint
   */
  public LogPosition flush() throws IOException {
    LogPosition checkpoint = log.flush(this::checkRunning);
    releaseLog();
    return checkpoint;
  }

  /**
   * Flushes what the state froze at the boundary of an epoch and releases the log that it covers;
   * everything if nothing is frozen.
   */
  public void flushEpoch() throws IOException {
    log.flushEpoch(this::checkRunning);
    releaseLog();
  }

  private void releaseLog() {
    log.release(leader.takesWrites() ? group.view() : null);
  }

  /** Bytes of log applied since the last flush, which a restart would replay. */
  public long unflushedLogBytes() {
    return log.unflushedBytes();
  }

  /** Bytes of log applied since this process opened the replica. */
  public long appliedLogBytes() {
    return machine.appliedBytes();
  }

  /** First index in the log. */
  public long firstLogIndex() {
    return log.firstIndex();
  }

  /**
   * Keeps the log after the index, regardless of flushes, until a minute after the returned anchor
   * is closed. Used while the state at that index is copied.
   */
  public LogAnchor anchorLog(long index) {
    return log.anchor(index);
  }

  /**
   * The last position in this replica's log; after the replica has stopped or failed, the last
   * position at the time of that event.
   */
  public LogPosition lastLogged() {
    return log.lastLogged();
  }

  /** The last committed position known to this replica. */
  public LogPosition lastCommitted() {
    return log.lastCommitted();
  }

  // ---- between the leader and the other members

  /** Whether this replica runs and was elected leader; it may not take writes yet. */
  public boolean isElected() {
    return leader.electedTerm() != RaftMember.NO_TERM && lifeCycle.isRunning();
  }

  /**
   * The status that this leader reports to the other members; empty if this replica does not lead,
   * or if the group has no other members.
   */
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
   * Receives the status of another member, the leader.
   *
   * @return whether this replica accepts the status and is in the same term; if so, it had not
   *     voted for a newer leader when the status was sent
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

  /**
   * Called when another member has confirmed the status that this leader sent in {@code term}, when
   * its clock showed {@code time}.
   */
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

  /** The leader's server, or empty if unknown. */
  public Optional<String> leaderUuid() {
    return group.raft().leaderUuid();
  }

  // ---- the group

  /** The other servers of the group that have a replica, by uuid, with their RPC addresses. */
  public Map<String, String> others() {
    return group.others();
  }

  /**
   * Changes the members of the group, as its leader; makes all changes or none. Completes when the
   * changes are committed; their consequences, such as the tablet copy to a new member, follow
   * later. If it fails with {@link MemberChangeRejectedException}, the changes were not made; after
   * any other failure they may have been made.
   *
   * @param casIndex the {@link ConsensusView#configurationIndex} on which the change is based
   */
  public CompletableFuture<Void> changeMembers(List<MemberChange> changes, OptionalLong casIndex) {
    return leadsButIsNotReady()
        ? whenLeader()
            .orTimeout(READY_MILLIS, TimeUnit.MILLISECONDS)
            .handle((ready, late) -> null) // if the leader is not ready, the change is rejected
            .thenCompose(over -> membership.change(changes, casIndex))
        : membership.change(changes, casIndex);
  }

  /**
   * Replaces the configuration on this replica without a vote, for a group that has lost its
   * majority permanently. The replica keeps its log, and the named members can elect it.
   *
   * @param servers the remaining members, voters as well as listeners, including this server
   */
  public CompletableFuture<Void> forceMembers(Collection<String> servers) {
    return new UnsafeConfigurationChange(tabletId, group.view()).force(Set.copyOf(servers));
  }

  /** Changes the members of the group while this replica leads it. */
  public MembershipChanger membership() {
    return membership;
  }

  /** The current role, term, leader and members. */
  public ConsensusView consensus() {
    return group.view().consensus();
  }

  /**
   * Steps down; a member, possibly this one, is elected after an election timeout. Fails with
   * ILLEGAL_STATE if this replica does not lead.
   */
  public CompletableFuture<Void> stepDown() {
    return control.stepDown();
  }

  /**
   * Transfers the leadership without an election timeout. Fails with ILLEGAL_STATE if this replica
   * does not lead, INVALID_ARGUMENT if the new leader is not a voter of the group,
   * SERVICE_UNAVAILABLE if the new leader does not take over in time.
   *
   * @param newLeader uuid of the voter; empty for the voter with the highest commit index
   */
  public CompletableFuture<Void> transferLeadership(Optional<String> newLeader) {
    return control.transfer(newLeader);
  }

  /**
   * Makes this replica a candidate immediately, even if another replica leads. Returns true if this
   * replica is a candidate or leads.
   */
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

  /**
   * Number of log entries submitted. It is lower than {@link #requestsAdmitted} if requests share
   * entries.
   */
  public long entriesSubmitted() {
    return writes.entries();
  }

  public long requestsAdmitted() {
    return writes.requests();
  }

  /** Bytes of row data that are queued or in flight. */
  public long pendingBytes() {
    return writes.pendingBytes();
  }

  /** Numbers of operations in flight on this replica, and of rejected operations. */
  public WriteCounters writeCounters() {
    return writes.counters();
  }

  /** How far the replicas of the group lag behind its leader now. */
  public ReplicationLag replicationLag() {
    return ReplicationLag.of(group.raft(), log.lastLogged().index(), log.lastCommitted().index());
  }

  /** Rows that this replica has applied, by outcome. */
  public AppliedRows applied() {
    return machine.applied();
  }

  /** Latency of appends to this replica's log. */
  public Distribution logAppending() {
    return group.raft().appendLatency();
  }

  // ---- the end

  /**
   * Stops the replica, after waiting for a running flush; its files are kept. Closing the Raft
   * group takes up to a second.
   */
  @Override
  public void close() {
    end.stop(false);
  }

  /** Stops the replica and removes its log; the caller deletes the tablet's files. */
  public void closeAndDeleteLog() {
    end.stop(true);
  }

  /**
   * Fails the replica if the failure is a CORRUPTION, so that it no longer serves and another
   * replica leads. Called by code that reads or rewrites the state's files; the caller handles all
   * other failures.
   */
  public void failIfCorrupt(Throwable failure) {
    if (failure instanceof KuduException known && known.code() == StatusCode.CORRUPTION) {
      end.fail(failure, true);
    }
  }

  /** Logs the beginning and the end of this replica's leadership. */
  private final class LeadershipLines implements LeaderState.Listener {
    @Override
    public void elected(long term) {
      logger.elected(term, elections.won(), 1 + otherVoters().size());
    }

    @Override
    public void leadershipLost(long term, boolean tookWrites, String reason) {
      logger.leadershipLost(term, tookWrites, reason);
    }
  }
}
