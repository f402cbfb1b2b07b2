package dev.kudu4j.server.replica;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.election.ElectionTracker;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.GroupView;
import dev.kudu4j.server.replica.members.LeadingReplica;
import dev.kudu4j.server.replica.members.MemberChange;
import dev.kudu4j.server.replica.members.MemberChangeRejected;
import dev.kudu4j.server.replica.members.MemberNotes;
import dev.kudu4j.server.replica.members.MembershipChanger;
import dev.kudu4j.server.replica.members.MembershipListener;
import dev.kudu4j.server.replica.members.UnsafeConfigurationChange;
import dev.kudu4j.server.replica.write.WriteCounters;
import dev.kudu4j.server.replica.write.WriteQueue;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.server.replica.write.WriteSubmitter;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One replica of a tablet: its state, kept by Raft the same as the others of its group.
 *
 * <p>This is the life cycle and the door. Writes are gathered in the {@link WriteQueue}, ordered by
 * Raft, applied by the {@link ReplicaStateMachine}, which also answers them; {@link SafeTime} says
 * what may be read.
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
    /** It was thrown out of the group, and neither serves nor votes; its files are there. */
    EVICTED,
    STOPPED
  }

  /** A state with what led to it, so that nobody sees the one without the other. */
  private record Stage(State state, Throwable reason) {}

  /** Told when the replica's role, configuration or state has changed; must not block. */
  @FunctionalInterface
  public interface ChangeListener {
    void changed(TabletReplica replica);
  }

  /** A leader that was elected is waited for so long until it is ready to change its members. */
  private static final int READY_MILLIS = 2_000;

  private final String tabletId;
  private final ReplicaEnvironment environment;
  private final ReplicaState state;
  private final ReplicaLogger lines;
  private final ElectionTracker elections;
  private final SafeTime safeTime;
  private final LogReplay catchUp = new LogReplay();
  private final LeaderState leadership;
  private final MembershipChanger membership;
  private final WriteSubmitter writes;
  private final ReplicaStateMachine machine;
  private final ReplicaLog log;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<Stage> stage =
      new AtomicReference<>(new Stage(State.STARTING, null));

  private volatile RaftMember raft; // null until the start has returned
  private final AtomicReference<CommittedConfiguration> agreed = new AtomicReference<>();
  private volatile MemberNotes notes;
  private volatile long notesIndex = -1;
  private volatile boolean stepsDown;

  private TabletReplica(String tabletId, ReplicaEnvironment environment, ReplicaState state) {
    this.tabletId = tabletId;
    this.environment = environment;
    this.state = state;
    this.lines =
        new ReplicaLogger(
            new ReplicaPrefix(tabletId, environment.raft().serverUuid()),
            () -> raft,
            environment.options());
    this.elections = new ElectionTracker(this::isCandidate, lines, environment.nanoTime());
    this.notes = MemberNotes.decode(state.attribute(MemberNotes.ATTRIBUTE));
    this.membership = new MembershipChanger(new Leading(), environment.executor());
    this.safeTime =
        new SafeTime(
            environment.clock(),
            state.maxTimestamp(),
            state.checkpoint().index(),
            environment.executor(),
            () -> environment.requests().send(this));
    this.leadership =
        new LeaderState(
            environment.raft().serverUuid(),
            safeTime,
            this::isAlone,
            this::tellChanged,
            environment.executor(),
            new Office());
    this.writes =
        new WriteSubmitter(
            tabletId,
            new WriteQueue.Limits(
                environment.raft().options().maxEntryBytes(),
                environment.options().maxQueuedBytes(),
                environment.options().pipelineBytes()),
            environment.admission(),
            environment.executor(),
            environment.nanoTime(),
            this::checkLeader,
            entry -> raft.submit(entry),
            state::remembered);
    this.machine =
        new ReplicaStateMachine(
            tabletId,
            state,
            safeTime,
            catchUp,
            environment.applying(),
            environment.gate(),
            environment.nanoTime(),
            elections,
            new Events());
    this.log = new ReplicaLog(tabletId, environment, state, machine, () -> raft);
  }

  /**
   * Starts the first replica of a new tablet here.
   *
   * @param state takes it: closed with the replica, also when this fails
   * @param members all of the group, this server among them
   */
  public static TabletReplica create(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<RaftHost.Peer> members,
      ChangeListener... listeners)
      throws IOException {
    return start(
        tabletId,
        environment,
        state,
        List.of(listeners),
        machine -> environment.raft().create(tabletId, members, machine));
  }

  /**
   * Starts a replica again whose log and state lie here. Replays the log above the state's
   * checkpoint; reads of a snapshot wait for that. Fails with NOT_FOUND when there is no log, which
   * is what a crash in the middle of {@link #create} leaves.
   *
   * @param state takes it: closed with the replica, also when this fails
   */
  public static TabletReplica open(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      ChangeListener... listeners)
      throws IOException {
    return start(
        tabletId,
        environment,
        state,
        List.of(listeners),
        machine -> environment.raft().open(tabletId, machine));
  }

  /**
   * Starts a replica in a group that others have: its state was copied, and the log behind the
   * state's checkpoint comes from the group's leader, once that lets it in. Until then, over
   * restarts too, it is a listener.
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
    return start(
        tabletId,
        environment,
        state,
        List.of(listeners),
        machine -> environment.raft().join(tabletId, members, state.checkpoint(), vote, machine));
  }

  private interface Starter {
    RaftMember start(ReplicaStateMachine machine) throws IOException;
  }

  private static TabletReplica start(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<ChangeListener> listeners,
      Starter starter)
      throws IOException {
    TabletReplica replica = new TabletReplica(tabletId, environment, state);
    replica.listeners.addAll(listeners);
    LogPosition checkpoint = state.checkpoint();
    long startNanos = environment.nanoTime().getAsLong();
    try {
      RaftMember raft = starter.start(replica.machine);
      replica.agreed.compareAndSet(null, raft.initialConfiguration());
      replica.raft = raft;
      LogPosition logged = replica.lastLogged();
      replica.catchUp.expect(logged, replica.machine::lastApplied);
      replica.logReplay(checkpoint, logged, startNanos);
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
    if (replica.move(State.STARTING, State.RUNNING, null)) {
      replica.tellChanged();
    } else {
      replica.environment.executor().execute(replica::leaveAndRelease);
    }
    environment.raft().askIfDoubtful(replica.raft, replica::foundEvicted);
    return replica;
  }

  /** One line when all that the log held at the start is applied, if it held anything. */
  private void logReplay(LogPosition checkpoint, LogPosition logged, long startNanos) {
    if (logged.index() > checkpoint.index()) {
      catchUp
          .whenDone()
          .thenRun(
              () -> {
                if (machine.appliedBytes() > 0) { // else there were only entries of Raft's own
                  lines.replayed(
                      checkpoint,
                      logged,
                      machine.appliedBytes(),
                      environment.nanoTime().getAsLong() - startNanos);
                }
              });
    }
  }

  public String tabletId() {
    return tabletId;
  }

  /** The head of log lines about this replica. */
  public ReplicaPrefix prefix() {
    return lines.prefix();
  }

  public State lifeCycleState() {
    return stage.get().state;
  }

  /** False when the replica is in another state by now. */
  private boolean move(State from, State to, Throwable reason) {
    Stage now = stage.get();
    return now.state == from && stage.compareAndSet(now, new Stage(to, reason));
  }

  /** Whether the replica has failed or was thrown out: only a copy could make it serve again. */
  public boolean isLost() {
    State now = lifeCycleState();
    return now == State.FAILED || now == State.EVICTED;
  }

  /** Why the replica has failed, or null. */
  public Throwable reason() {
    return stage.get().reason;
  }

  public SafeTime safeTime() {
    return safeTime;
  }

  /** Whether this replica leads and takes writes. */
  public boolean isLeader() {
    return leadership.takesWrites() && lifeCycleState() == State.RUNNING;
  }

  /** Completes when this replica leads and takes writes; fails when the replica does. */
  public CompletableFuture<Void> whenLeader() {
    return leadership.whenItTakesWrites();
  }

  /** Whether the latest rows may be read now: see {@link #whenCurrent}. */
  public boolean isCurrent() {
    return catchUp.isDone() && !leadsButIsNotReady();
  }

  /**
   * Completes when what this replica has applied is fit to be read as the latest: after a restart
   * all that its log held, at a new leader all that came before its term. Neither loses a row from
   * sight that somebody was told is there. Fails when the replica does.
   */
  public CompletableFuture<Void> whenCurrent() {
    return catchUp
        .whenDone()
        .thenComposeAsync(
            done -> leadsButIsNotReady() ? whenLeader() : CompletableFuture.completedFuture(null),
            environment.executor());
  }

  private boolean leadsButIsNotReady() {
    return !leadership.takesWrites() && raft.isLeader();
  }

  // ---- writing

  /**
   * Writes rows: logs them, applies them, and answers with the outcome of each. A retry of a
   * request gets the first try's answer.
   *
   * <p>Fails with ILLEGAL_STATE when this replica does not lead (the outcome may then be unknown:
   * ask again under the same id), SERVICE_UNAVAILABLE when too much is under way, TIMED_OUT when
   * the deadline passed before the rows were logged, INVALID_ARGUMENT for a row that is too large.
   *
   * <p>The answer completes on the thread that applies: what depends on it must be short and must
   * not block.
   */
  public CompletableFuture<RequestResult> write(WriteSubmission submission) {
    return writes.write(submission);
  }

  /** Changes the schema, in the log's order with the writes. */
  public CompletableFuture<Void> alterSchema(Schema schema, int schemaVersion, String tableName) {
    return alterSchema(schema, schemaVersion, tableName, Map.of());
  }

  /**
   * As above, and some of the descriptor's attributes change with the schema.
   *
   * @param attributes put in place of those of the same names
   */
  public CompletableFuture<Void> alterSchema(
      Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
    return writes
        .alterSchema(schema, schemaVersion, tableName, attributes)
        .thenApply(result -> null);
  }

  private void checkLeader() {
    checkRunning();
    if (!leadership.takesWrites()) {
      if (raft.isLeader() || raft.isOnlyVoter()) {
        throw KuduException.serviceUnavailable(
            "The leader of tablet %s is not ready yet; try again", tabletId);
      }
      throw RaftFailures.notLeader(tabletId, null);
    }
  }

  /** Throws the replica's failure, or SERVICE_UNAVAILABLE while it is not running. */
  public void checkRunning() {
    Stage now = stage.get();
    switch (now.state) {
      case RUNNING -> {}
      case FAILED -> throw failure(now.reason);
      case EVICTED ->
          throw KuduException.illegalState(
              "This replica of tablet %s is no member of its group any more", tabletId);
      default ->
          throw KuduException.serviceUnavailable(
              "The replica of tablet %s is %s", tabletId, now.state);
    }
  }

  private KuduException failure(Throwable reason) {
    return new KuduException(
        StatusCode.SERVICE_UNAVAILABLE,
        "The replica of tablet " + tabletId + " has failed: " + reason,
        reason);
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
    log.release(leadership.takesWrites() ? group() : null);
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
   * Keeps the log above the index, whatever is flushed, until the result is closed and a minute
   * longer: for a copy of the state at that index.
   */
  public LogAnchor holdLog(long index) {
    return log.hold(index);
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

  /**
   * Whether this replica was elected, and so has a word for the others, ready for writes or not.
   */
  public boolean isElected() {
    return leadership.electedTerm() != LeaderTerm.NONE && lifeCycleState() == State.RUNNING;
  }

  /** What this leader has to tell the others; empty when it does not lead, or there are none. */
  public Optional<LeaderStatus> word() {
    long term = leadership.electedTerm();
    if (term == LeaderTerm.NONE || lifeCycleState() != State.RUNNING || !raft.hasOthers()) {
      return Optional.empty();
    }
    SafeTime.Promise promise = safeTime.promise();
    long releasable = log.release(group());
    return Optional.of(new LeaderStatus(term, promise.time(), promise.index(), releasable));
  }

  /**
   * What another member says, as the leader.
   *
   * @return whether this replica is in the same term: then there was no newer leader when this one
   *     spoke, as far as this replica's vote counts
   */
  public boolean hear(LeaderStatus word) {
    if (lifeCycleState() != State.RUNNING
        || raft.currentTerm() != word.term()
        || raft.isLeader()
        || !safeTime.isPlausible(word.safeTime())) {
      return false;
    }
    safeTime.promised(new SafeTime.Promise(word.safeTime(), word.safeIndex()));
    log.releasableTold(word.releasable());
    releaseLog();
    return true;
  }

  /** Another member heard the word of this term after this leader's clock had shown the time. */
  public void confirmed(String serverUuid, long term, long time) {
    leadership.confirmed(serverUuid, term, time, raft.electorates());
  }

  /** Another member says that its replica has failed, or was thrown out. */
  public void hasFailed(String serverUuid, long term) {
    leadership.hasFailed(serverUuid, term);
  }

  private boolean isCandidate() {
    RaftMember running = raft;
    return running != null && running.isCandidate();
  }

  private boolean isAlone() {
    RaftMember running = raft;
    return running == null ? agreed.get().voters().size() == 1 : running.isOnlyVoter();
  }

  /** Who votes in the group besides this server. */
  public List<String> otherVoters() {
    return raft.otherVoters();
  }

  /** The leader's server, or empty when none is known. */
  public Optional<String> leaderUuid() {
    return raft.leaderUuid();
  }

  // ---- the group

  private GroupView group() {
    return new GroupView(raft, agreed.get(), notes, notesIndex, leadership.health());
  }

  /** The other servers of the group that have a replica, by uuid, with their RPC addresses. */
  public Map<String, String> others() {
    Map<String, String> others = new HashMap<>();
    for (GroupPeer peer : raft.others()) {
      others.put(peer.serverUuid(), peer.rpcAddress() == null ? "" : peer.rpcAddress());
    }
    return others;
  }

  /**
   * Changes the members of the group, as its leader: all of the changes or none. Completes when a
   * majority has them; what follows from them, such as that a new member copies the tablet, comes
   * after. Fails with {@link MemberChangeRejected}; any other failure leaves open whether it was
   * done.
   *
   * @param casIndex the {@link ConsensusView#configurationIndex} that the change was decided on
   */
  public CompletableFuture<Void> changeMembers(List<MemberChange> changes, OptionalLong casIndex) {
    return leadsButIsNotReady()
        ? whenLeader()
            .orTimeout(READY_MILLIS, TimeUnit.MILLISECONDS)
            .handle((ready, late) -> null) // then it is refused
            .thenCompose(over -> membership.change(changes, casIndex))
        : membership.change(changes, casIndex);
  }

  /**
   * Makes this replica take these members for all there are, without asking anybody: for a group
   * whose majority is lost for good. It keeps its log, and is elected by those who are named.
   *
   * @param servers members that stay, voters as well as listeners; this one among them
   */
  public CompletableFuture<Void> forceMembers(Collection<String> servers) {
    return new UnsafeConfigurationChange(tabletId, group()).take(Set.copyOf(servers));
  }

  /** Changes the members of the group while this replica leads it. */
  public MembershipChanger membership() {
    return membership;
  }

  /** Role, term, leader and members, now. */
  public ConsensusView consensus() {
    return group().consensus();
  }

  /**
   * Lays the leadership down; somebody else, or this replica again, is elected after a time-out.
   * Fails with ILLEGAL_STATE when this replica does not lead.
   */
  public CompletableFuture<Void> stepDown() {
    return isElected() ? steppingDown(raft.stepDown()) : notLeader();
  }

  /**
   * Hands the leadership over without a time-out. Fails with ILLEGAL_STATE when this replica does
   * not lead, INVALID_ARGUMENT when the other one does not vote in the group, SERVICE_UNAVAILABLE
   * when it does not take over in time.
   *
   * @param newLeader its server; empty for whoever has most of the log
   */
  public CompletableFuture<Void> handOver(Optional<String> newLeader) {
    boolean toItself = newLeader.equals(Optional.of(environment.raft().serverUuid()));
    if (isElected() && toItself) {
      return CompletableFuture.completedFuture(null);
    }
    List<String> others = otherVoters();
    boolean toStranger = newLeader.isPresent() && !toItself && !others.contains(newLeader.get());
    return isElected() || toStranger
        ? steppingDown(raft.transferLeadership(newLeader, others))
        : notLeader();
  }

  private CompletableFuture<Void> steppingDown(CompletableFuture<Void> transfer) {
    stepsDown = true;
    return transfer.whenComplete((done, failure) -> stepsDown = false);
  }

  private CompletableFuture<Void> notLeader() {
    return CompletableFuture.failedFuture(RaftFailures.notLeader(tabletId, null));
  }

  /**
   * Makes this replica stand for election at once, whoever leads; true when it does, or leads
   * already.
   */
  public boolean runElection() throws IOException {
    checkRunning();
    return raft.isLeader() || raft.startElection();
  }

  public void addListener(ChangeListener listener) {
    listeners.add(listener);
  }

  private void tellChanged() {
    listeners.forEach(listener -> listener.changed(this));
  }

  // ---- counters

  /** Log entries submitted; fewer than requests when writers share them. */
  public long entriesSubmitted() {
    return writes.entries();
  }

  public long requestsAdmitted() {
    return writes.requests();
  }

  /** Row data that waits or is under way. */
  public long pendingBytes() {
    return writes.pendingBytes();
  }

  /** Operations under way here, and those that were refused. */
  public WriteCounters writeFlow() {
    return writes.flow();
  }

  /** How far the replicas of the group are apart, now. */
  public ReplicationLag logProgress() {
    return ReplicationLag.of(raft, log.lastLogged().index(), log.lastCommitted().index());
  }

  /** What this replica has applied, by outcome. */
  public AppliedRows applied() {
    return machine.applied();
  }

  /** How long it took to append to this replica's log. */
  public Distribution logAppending() {
    return raft.appendLatency();
  }

  // ---- the end

  /** Stops the replica, after a flush that runs; files stay. Takes up to a second in Raft. */
  @Override
  public void close() {
    stop(false);
  }

  /** Stops the replica and removes its log; the tablet's files are the caller's. */
  public void closeAndDeleteLog() {
    stop(true);
  }

  private void stop(boolean deleteLog) {
    Stage before = stage.getAndUpdate(now -> new Stage(State.STOPPED, now.reason));
    if (before.state == State.STOPPED) {
      return;
    }
    refuse(KuduException.serviceUnavailable("The replica of tablet %s is being stopped", tabletId));
    log.rememberEnd();
    try {
      environment.raft().remove(tabletId, deleteLog);
    } catch (IOException | RuntimeException e) {
      lines.closedUncleanly(e);
    }
    log.closeState();
  }

  private void refuse(KuduException why) {
    membership.close(why);
    writes.close(why);
    safeTime.fail(why);
    catchUp.fail(why);
    leadership.close(why);
  }

  /**
   * Whoever reads or rewrites the state's files tells here what went wrong: broken data fails this
   * replica, so that nobody is answered from it and another one leads; everything else is the
   * caller's to handle.
   */
  public void failIfCorrupt(Throwable failure) {
    if (failure instanceof KuduException known && known.code() == StatusCode.CORRUPTION) {
      fail(failure, this::leaveAndRelease);
    }
  }

  /** The log stays for who examines it. */
  private void leaveGroup() {
    RaftMember running = raft;
    if (running == null) {
      return;
    }
    try {
      running.close();
    } catch (RuntimeException e) {
      lines.closedUncleanly(e);
    }
  }

  /**
   * A failed replica holds no memory: nobody would flush it, and the other tablets need it. Its
   * files and its log stay.
   *
   * @param release not on this thread, which may be the one that applies: the group waits for that
   */
  private void fail(Throwable cause, Runnable release) {
    if (!move(State.STARTING, State.FAILED, cause) && !move(State.RUNNING, State.FAILED, cause)) {
      return;
    }
    log.rememberEnd();
    lines.failed(cause);
    refuse(failure(cause));
    tellChanged();
    environment.executor().execute(release);
  }

  private void leaveAndRelease() {
    leaveGroup();
    log.closeState();
  }

  private void foundEvicted() {
    evicted();
    leaveGroup();
  }

  private void evicted() {
    if (!move(State.RUNNING, State.EVICTED, null)) {
      return;
    }
    log.rememberEnd();
    lines.evicted();
    refuse(
        KuduException.illegalState(
            "This replica of tablet %s is no member of its group any more; refresh its locations"
                + " from the master",
            tabletId));
    tellChanged();
  }

  /** What changing the members needs of a leader. */
  private final class Leading implements LeadingReplica {
    @Override
    public String tabletId() {
      return tabletId;
    }

    @Override
    public long term() {
      return lifeCycleState() == State.RUNNING ? leadership.term() : RaftMember.NO_TERM;
    }

    @Override
    public GroupView group() {
      return TabletReplica.this.group();
    }

    @Override
    public CompletableFuture<Void> log(byte[] entry, long term) {
      return writes
          .logAlone(() -> entry, term)
          .thenApplyAsync(result -> null, environment.executor());
    }

    @Override
    public void votersMayChange(boolean underWay) {
      safeTime.alone(!underWay && raft.isOnlyVoter());
    }

    @Override
    public long firstLogIndex() {
      return TabletReplica.this.firstLogIndex();
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<String> newLeader) {
      return handOver(newLeader);
    }

    @Override
    public boolean hasReportedFailure(String serverUuid) {
      return leadership.hasSaidItFailed(serverUuid);
    }

    @Override
    public void healthChanged(Map<String, ConsensusView.Health> health) {
      leadership.healthSeen(health);
    }

    @Override
    public void onChange(Runnable action) {
      addListener(changed -> action.run());
    }

    @Override
    public MembershipListener listener() {
      return lines;
    }
  }

  /** The lines about the time as a leader. */
  private final class Office implements LeaderState.Lines {
    @Override
    public void elected(long term) {
      lines.elected(term, elections.won(), 1 + otherVoters().size());
    }

    @Override
    public void leadershipLost(long term, boolean tookWrites, String why) {
      lines.leadershipLost(term, tookWrites, why);
    }
  }

  /** What Raft tells; on its threads. */
  private final class Events implements ReplicaStateMachine.Listener {
    @Override
    public long currentTerm() {
      return raft.currentTerm();
    }

    @Override
    public boolean isLed(long term) {
      return leadership.term() == term;
    }

    @Override
    public boolean ends() {
      State now = lifeCycleState();
      return now != State.STARTING && now != State.RUNNING;
    }

    @Override
    public void leaderReady(long term) {
      if (leadership.elected(term)) {
        environment.requests().send(TabletReplica.this);
      }
    }

    @Override
    public void notLeader() {
      endTerm("");
      tellChanged();
    }

    private void endTerm(String newLeader) {
      RaftMember running = raft;
      long led = leadership.electedTerm();
      long now = running == null ? led : running.currentTerm();
      leadership.end(now, () -> whyEnded(led, now, newLeader));
    }

    private String whyEnded(long led, long now, String newLeader) {
      if (!newLeader.isEmpty()) {
        return "P " + newLeader + " leads term " + now;
      }
      if (now > led) {
        return "term " + now + " has begun";
      }
      if (raft.isClosing()) {
        return "the replica stops";
      }
      return stepsDown
          ? "it was asked to step down"
          : "it did not hear from a majority of its group in time";
    }

    @Override
    public void leaderChanged(String leaderUuid) {
      if (!leaderUuid.equals(environment.raft().serverUuid())) {
        endTerm(leaderUuid);
        if (!leaderUuid.isEmpty()) {
          elections.ended();
          lines.follows(leaderUuid);
        }
      }
      tellChanged();
    }

    @Override
    public void configurationChanged(CommittedConfiguration configuration) {
      CommittedConfiguration before = agreed.getAndSet(configuration);
      if (before != null) {
        lines.membersChanged(before, configuration);
      }
      String self = environment.raft().serverUuid();
      if (configuration.contains(self) && (before == null || !before.isVoter(self))) {
        environment.executor().execute(this::hasJoined);
      }
      membership.agreed(configuration.index());
      tellChanged();
    }

    private void hasJoined() {
      try {
        environment.raft().hasJoined(tabletId);
      } catch (IOException e) {
        lines.joinNotNoted(e);
      }
    }

    @Override
    public void notesChanged(long index) {
      notes = MemberNotes.decode(state.attribute(MemberNotes.ATTRIBUTE));
      notesIndex = index;
      tellChanged();
    }

    @Override
    public void appended(long nanos) {
      lines.appended(nanos);
    }

    @Override
    public void applied(LogPosition position, int bytes, long nanos) {
      lines.applied(position, bytes, nanos);
    }

    @Override
    public void failed(Throwable cause) {
      fail(cause, log::closeState);
    }

    @Override
    public void applyFailed(Throwable cause) {
      fail(cause, TabletReplica.this::leaveAndRelease);
    }

    @Override
    public void divisionClosed(boolean withServer) {
      if (!withServer) { // only who is told by another member that it is none ends so
        evicted();
      }
    }
  }
}
