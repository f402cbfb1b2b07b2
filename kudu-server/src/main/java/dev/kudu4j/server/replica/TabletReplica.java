package dev.kudu4j.server.replica;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.tablet.log.LogEntry;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(TabletReplica.class);

  /** Where a replica is in its life. */
  public enum State {
    STARTING,
    RUNNING,
    FAILED,
    /** It was thrown out of the group, and neither serves nor votes; its files are there. */
    EVICTED,
    STOPPED
  }

  /** Told when the replica's role, configuration or state has changed; must not block. */
  @FunctionalInterface
  public interface ChangeListener {
    void changed(TabletReplica replica);
  }

  private final String tabletId;
  private final ReplicaEnvironment environment;
  private final ReplicaState state;
  private final SafeTime safeTime;
  private final CatchUp catchUp = new CatchUp();
  private final LeadershipProof proof;
  private final Membership membership;
  private final WriteQueue queue;
  private final ResultTracker running = new ResultTracker();
  private final ReplicaStateMachine machine;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final Set<String> failedMembers = ConcurrentHashMap.newKeySet();
  private final AtomicReference<State> lifeCycle = new AtomicReference<>(State.STARTING);
  private final Object flushLock = new Object();

  private volatile RaftServer.Division division;
  private volatile Throwable reason;
  private volatile LogPosition endOfLog; // once the replica has stopped or failed
  private final LedTerm ledTerm = new LedTerm();
  private volatile long bytesAtFlush;
  private final LogRelease logRelease;
  private final AtomicReference<AgreedConfiguration> agreed = new AtomicReference<>();
  private volatile MemberNotes notes;
  private volatile long notesIndex = -1;
  private volatile Map<String, ConsensusView.Health> health = Map.of();
  private final AtomicReference<CompletableFuture<Void>> leadership =
      new AtomicReference<>(new CompletableFuture<>());

  private TabletReplica(String tabletId, ReplicaEnvironment environment, ReplicaState state) {
    this.tabletId = tabletId;
    this.environment = environment;
    this.state = state;
    this.notes = MemberNotes.decode(state.attribute(MemberNotes.ATTRIBUTE));
    this.logRelease =
        new LogRelease(
            tabletId, environment.raft().options().segmentsKept(), environment.nanoTime());
    this.proof = new LeadershipProof(environment.raft().serverUuid());
    this.membership =
        new Membership(tabletId, environment.raft(), new Leading(), environment.executor());
    this.safeTime =
        new SafeTime(
            environment.clock(),
            state.maxTimestamp(),
            state.checkpoint().index(),
            environment.executor(),
            snapshot -> environment.requests().send(this, snapshot));
    this.queue =
        new WriteQueue(
            tabletId,
            environment.raft().options().maxEntryBytes(),
            environment.options(),
            environment.admission(),
            environment.executor(),
            environment.nanoTime(),
            this::submit);
    this.machine =
        new ReplicaStateMachine(
            tabletId,
            state,
            safeTime,
            catchUp,
            environment.applying(),
            environment.nanoTime(),
            new Events());
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
   * Starts a replica again whose state lies here and whose log, if there is one, may not name the
   * members yet: then the founders are the members. Nothing that this server voted for is
   * forgotten.
   *
   * @param state takes it: closed with the replica, also when this fails
   * @param founders all of the group, this server among them
   */
  public static TabletReplica reopen(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      List<RaftHost.Peer> founders,
      ChangeListener... listeners)
      throws IOException {
    return start(
        tabletId,
        environment,
        state,
        List.of(listeners),
        machine -> environment.raft().open(tabletId, founders, machine));
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
    RaftServer.Division start(ReplicaStateMachine machine) throws IOException;
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
    try {
      RaftServer.Division division = starter.start(replica.machine);
      replica.agreed.compareAndSet(null, AgreedConfiguration.initial(division.getRaftConf()));
      replica.division = division;
      replica.catchUp.expect(replica.lastLogged(), replica.machine::lastApplied);
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
    if (replica.lifeCycle.compareAndSet(State.STARTING, State.RUNNING)) {
      replica.tellChanged();
    }
    environment.raft().askIfDoubtful(replica.division, replica::foundEvicted);
    return replica;
  }

  public String tabletId() {
    return tabletId;
  }

  public State lifeCycleState() {
    return lifeCycle.get();
  }

  /** Whether the replica has failed or was thrown out: only a copy could make it serve again. */
  public boolean isLost() {
    State now = lifeCycle.get();
    return now == State.FAILED || now == State.EVICTED;
  }

  /** Why the replica has failed, or null. */
  public Throwable reason() {
    return reason;
  }

  public SafeTime safeTime() {
    return safeTime;
  }

  /** Whether this replica leads and takes writes. */
  public boolean isLeader() {
    return leads() && lifeCycle.get() == State.RUNNING;
  }

  /** Completes when this replica leads and takes writes; fails when the replica does. */
  public CompletableFuture<Void> whenLeader() {
    return leadership.get().copy();
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
    return ledTerm.now() == LedTerm.NONE && division.getInfo().isLeader();
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
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    try {
      checkLeader();
    } catch (KuduException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (submission.id() == null) {
      return enqueue(submission, answer);
    }
    CompletableFuture<RequestResult> first = running.begin(submission.id(), answer);
    if (first != null) {
      return first.copy();
    }
    answer.whenComplete((result, thrown) -> running.end(submission.id()));
    RequestResult remembered = state.remembered(submission.id());
    if (remembered != null) {
      answer.complete(remembered);
      return answer;
    }
    return enqueue(submission, answer);
  }

  private CompletableFuture<RequestResult> enqueue(
      WriteSubmission submission, CompletableFuture<RequestResult> answer) {
    try {
      queue.add(submission, answer);
    } catch (RuntimeException e) {
      answer.completeExceptionally(RaftFailures.explain(tabletId, e));
    }
    return answer;
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
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    try {
      checkLeader();
      queue.addAlone(
          LogEntry.encodeAlterSchema(schema, schemaVersion, tableName, attributes),
          WriteSubmission.ANY_TERM,
          answer);
    } catch (RuntimeException e) {
      answer.completeExceptionally(RaftFailures.explain(tabletId, e));
    }
    return answer.thenApply(result -> null);
  }

  private void checkLeader() {
    checkRunning();
    if (ledTerm.now() == LedTerm.NONE) {
      if (division.getInfo().isLeader() || group().isAlone()) {
        throw KuduException.serviceUnavailable(
            "The leader of tablet %s is not ready yet; try again", tabletId);
      }
      throw RaftFailures.notLeader(tabletId, null);
    }
  }

  /** Throws the replica's failure, or SERVICE_UNAVAILABLE while it is not running. */
  public void checkRunning() {
    switch (lifeCycle.get()) {
      case RUNNING -> {}
      case FAILED -> throw failure();
      case EVICTED ->
          throw KuduException.illegalState(
              "This replica of tablet %s is no member of its group any more", tabletId);
      default ->
          throw KuduException.serviceUnavailable(
              "The replica of tablet %s is %s", tabletId, lifeCycle.get());
    }
  }

  private KuduException failure() {
    return new KuduException(
        StatusCode.SERVICE_UNAVAILABLE,
        "The replica of tablet " + tabletId + " has failed: " + reason,
        reason);
  }

  private void submit(PendingEntry entry) {
    try {
      environment
          .raft()
          .submit(division, entry)
          .whenComplete(
              (reply, thrown) -> {
                if (thrown != null) {
                  entry.failed(RaftFailures.explain(tabletId, thrown));
                } else if (!reply.isSuccess()) {
                  entry.failed(RaftFailures.explain(tabletId, reply.getException()));
                }
              });
    } catch (IOException | RuntimeException | Error e) { // or the queue would wait for it for ever
      entry.failed(RaftFailures.explain(tabletId, e));
    }
  }

  // ---- the log and the disk

  /**
   * Makes the state durable and releases the log below it. Blocks for as long as the writing takes;
   * one at a time.
   *
   * @return the new checkpoint
   */
  public LogPosition flush() throws IOException {
    synchronized (flushLock) {
      checkRunning();
      long bytes = machine.appliedBytes();
      LogPosition checkpoint = state.flush();
      bytesAtFlush = bytes;
      releaseLog();
      return checkpoint;
    }
  }

  private void releaseLog() {
    long checkpoint = state.checkpoint().index();
    long releasable = logRelease.releasable(leads() ? group() : null, checkpoint);
    logRelease.release(division, releasable, checkpoint);
  }

  private boolean leads() {
    return ledTerm.now() != LedTerm.NONE;
  }

  /** Bytes of log applied since the last flush: what a restart would replay. */
  public long unflushedLogBytes() {
    return machine.appliedBytes() - bytesAtFlush;
  }

  /** Bytes of log applied since this process opened the replica. */
  public long appliedLogBytes() {
    return machine.appliedBytes();
  }

  /** First index that the log still holds. */
  public long firstLogIndex() {
    return division.getRaftLog().getStartIndex();
  }

  /**
   * Keeps the log above the index, whatever is flushed, until the result is closed and a minute
   * longer: for a copy of the state at that index.
   */
  public LogHold holdLog(long index) {
    return logRelease.hold(index);
  }

  /** The last position in this replica's log; once it has stopped or failed, what it was then. */
  public LogPosition lastLogged() {
    LogPosition end = endOfLog;
    return end != null ? end : lastInLog();
  }

  private LogPosition lastInLog() {
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
    return last == null ? state.checkpoint() : new LogPosition(last.getTerm(), last.getIndex());
  }

  /** The last position that a majority holds, as far as this replica knows. */
  public LogPosition lastCommitted() {
    long index = division.getRaftLog().getLastCommittedIndex();
    TermIndex committed = division.getRaftLog().getTermIndex(index);
    return committed == null
        ? state.checkpoint()
        : new LogPosition(committed.getTerm(), committed.getIndex());
  }

  // ---- between the leader and the others

  /** What this leader has to tell the others; empty when it does not lead, or there are none. */
  public Optional<LeaderWord> word() {
    long term = ledTerm.now();
    if (term == LedTerm.NONE || lifeCycle.get() != State.RUNNING || group().others().isEmpty()) {
      return Optional.empty();
    }
    SafeTime.Promise promise = safeTime.promise();
    long checkpoint = state.checkpoint().index();
    long releasable = logRelease.releasable(group(), checkpoint);
    logRelease.release(division, releasable, checkpoint);
    return Optional.of(new LeaderWord(term, promise.time(), promise.index(), releasable));
  }

  /**
   * What another member says, as the leader.
   *
   * @return whether this replica is in the same term: then there was no newer leader when this one
   *     spoke, as far as this replica's vote counts
   */
  public boolean hear(LeaderWord word) {
    if (lifeCycle.get() != State.RUNNING
        || division.getInfo().getCurrentTerm() != word.term()
        || division.getInfo().isLeader()) {
      return false;
    }
    safeTime.promised(new SafeTime.Promise(word.safeTime(), word.safeIndex()));
    logRelease.told(word.releasable());
    releaseLog();
    return true;
  }

  /** Another member heard the word of this term after this leader's clock had shown the time. */
  public void confirmed(String serverUuid, long term, long time) {
    if (ledTerm.now() == term) {
      failedMembers.remove(serverUuid);
      safeTime.proved(proof.confirm(serverUuid, term, time, group().electorates()));
    }
  }

  /** Another member says that its replica has failed, or was thrown out. */
  public void hasFailed(String serverUuid, long term) {
    if (ledTerm.now() == term) {
      failedMembers.add(serverUuid);
    }
  }

  boolean hasSaidItFailed(String serverUuid) {
    return failedMembers.contains(serverUuid);
  }

  /** Who votes in the group besides this server. */
  public List<String> otherVoters() {
    return group().otherVoters();
  }

  /** The leader's server, or empty when none is known. */
  public Optional<String> leaderUuid() {
    return group().leaderUuid();
  }

  // ---- the group

  private GroupView group() {
    return new GroupView(division, agreed.get(), notes, notesIndex, health);
  }

  /** The other servers of the group that have a replica, by uuid, with their RPC addresses. */
  public Map<String, String> others() {
    Map<String, String> others = new HashMap<>();
    for (RaftPeer peer : group().others()) {
      others.put(
          peer.getId().toString(), peer.getClientAddress() == null ? "" : peer.getClientAddress());
    }
    return others;
  }

  /**
   * Changes the members of the group, as its leader: all of the changes or none. Completes when a
   * majority has them; what follows from them, such as that a new member copies the tablet, comes
   * after. Fails with {@link ChangeRefused}; any other failure leaves open whether it was done.
   *
   * @param casIndex the {@link ConsensusView#configurationIndex} that the change was decided on
   */
  public CompletableFuture<Void> changeMembers(List<MemberChange> changes, OptionalLong casIndex) {
    return membership.change(changes, casIndex);
  }

  /**
   * Makes this replica take these members for all there are, without asking anybody: for a group
   * whose majority is lost for good. It keeps its log, and is elected by those who are named.
   *
   * @param servers members that stay, voters as well as listeners; this one among them
   */
  public CompletableFuture<Void> forceMembers(Collection<String> servers) {
    return new ForcedMembers(tabletId, environment.raft(), group()).take(Set.copyOf(servers));
  }

  Membership membership() {
    return membership;
  }

  /** Which term is led from here, or {@link LedTerm#NONE}. */
  long ledTerm() {
    return lifeCycle.get() == State.RUNNING ? ledTerm.now() : LedTerm.NONE;
  }

  GroupView groupView() {
    return group();
  }

  /** How the leader finds the members to be. */
  void healthSeen(Map<String, ConsensusView.Health> seen) {
    if (!seen.equals(health)) {
      health = Map.copyOf(seen);
      tellChanged();
    }
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
    return isLeader() ? handOver().toNobody() : notLeader();
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
    if (isLeader() && toItself) {
      return CompletableFuture.completedFuture(null);
    }
    List<String> others = otherVoters();
    boolean toStranger = newLeader.isPresent() && !toItself && !others.contains(newLeader.get());
    return isLeader() || toStranger ? handOver().to(newLeader, others) : notLeader();
  }

  private HandOver handOver() {
    return new HandOver(tabletId, environment.raft(), division);
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
    return division.getInfo().isLeader() || environment.raft().elect(division);
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
    return queue.entries();
  }

  public long requestsAdmitted() {
    return queue.requests();
  }

  /** Row data that waits or is under way. */
  public long pendingBytes() {
    return queue.admittedBytes();
  }

  /** What this replica has applied, by outcome. */
  public AppliedRows applied() {
    return machine.applied();
  }

  /** How long it took to append to this replica's log. */
  public Distribution logAppending() {
    return LogTimes.appending(division.getMemberId());
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
    State before = lifeCycle.getAndSet(State.STOPPED);
    if (before == State.STOPPED) {
      return;
    }
    refuse(KuduException.serviceUnavailable("The replica of tablet %s is being stopped", tabletId));
    rememberEndOfLog();
    try {
      environment.raft().remove(tabletId, deleteLog);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Tablet {}: the Raft group did not stop cleanly", tabletId, e);
    }
    synchronized (flushLock) {
      state.close();
    }
  }

  /** Raft forgets it when it closes the log. */
  private void rememberEndOfLog() {
    if (endOfLog == null && division != null) {
      try {
        endOfLog = lastInLog();
      } catch (RuntimeException e) {
        LOG.debug("Tablet {}: the log is closed, its end is not known", tabletId, e);
        endOfLog = machine.lastApplied();
      }
    }
  }

  private void refuse(KuduException why) {
    membership.close(why);
    ledTerm.end(Long.MAX_VALUE, () -> {});
    queue.close(why);
    safeTime.fail(why);
    catchUp.fail(why);
    leadership.get().completeExceptionally(why);
  }

  /**
   * Whoever reads or rewrites the state's files tells here what went wrong: broken data fails this
   * replica, so that nobody is answered from it and another one leads; everything else is the
   * caller's to handle.
   */
  public void failIfCorrupt(Throwable failure) {
    if (failure instanceof KuduException known && known.code() == StatusCode.CORRUPTION) {
      fail(failure);
      environment.executor().execute(this::leaveGroup);
    }
  }

  /** As Raft itself leaves when an entry cannot be applied: the log stays for who examines it. */
  private void leaveGroup() {
    try {
      division.close();
    } catch (RuntimeException e) {
      LOG.warn("Tablet {}: the Raft group did not stop cleanly", tabletId, e);
    }
  }

  private void fail(Throwable cause) {
    State now = lifeCycle.get();
    if (now == State.STOPPED
        || now == State.FAILED
        || now == State.EVICTED
        || !lifeCycle.compareAndSet(now, State.FAILED)) {
      return;
    }
    reason = cause;
    rememberEndOfLog();
    LOG.error("The replica of tablet {} has failed", tabletId, cause);
    refuse(failure());
    tellChanged();
  }

  private void foundEvicted() {
    rememberEndOfLog();
    evicted();
    leaveGroup();
  }

  private void evicted() {
    if (!lifeCycle.compareAndSet(State.RUNNING, State.EVICTED)) {
      return;
    }
    LOG.info("The replica of tablet {} is no member of its group any more", tabletId);
    refuse(
        KuduException.illegalState(
            "This replica of tablet %s is no member of its group any more; refresh its locations"
                + " from the master",
            tabletId));
    tellChanged();
  }

  /** What changing the members needs of a leader. */
  private final class Leading implements Membership.Leader {
    @Override
    public long term() {
      return ledTerm();
    }

    @Override
    public GroupView group() {
      return TabletReplica.this.group();
    }

    @Override
    public CompletableFuture<Void> log(byte[] entry, long term) {
      CompletableFuture<RequestResult> answer = new CompletableFuture<>();
      try {
        checkLeader();
        queue.addAlone(entry, term, answer);
      } catch (RuntimeException e) {
        answer.completeExceptionally(RaftFailures.explain(tabletId, e));
      }
      return answer.thenApplyAsync(result -> null, environment.executor());
    }

    @Override
    public void companyComes(boolean underWay) {
      safeTime.alone(!underWay && group().isAlone());
    }
  }

  /** What Raft tells; on its threads. */
  private final class Events implements ReplicaStateMachine.Listener {
    @Override
    public long currentTerm() {
      return division.getInfo().getCurrentTerm();
    }

    @Override
    public void leaderReady(long term) {
      boolean begun =
          ledTerm.begin(
              term,
              () -> {
                safeTime.lead(isAlone());
                leadership.get().completeAsync(() -> null, environment.executor());
              });
      if (begun) {
        tellChanged();
      }
    }

    @Override
    public void notLeader() {
      endTerm();
      tellChanged();
    }

    private boolean isAlone() {
      RaftServer.Division running = division; // null until the start has returned
      return running == null
          ? agreed.get().voters().size() == 1
          : new GroupView(running, agreed.get(), notes, notesIndex, health).isAlone();
    }

    private void endTerm() {
      RaftServer.Division running = division; // null until the start has returned
      long term = running == null ? ledTerm.now() : running.getInfo().getCurrentTerm();
      ledTerm.end(
          term,
          () -> {
            safeTime.follow();
            health = Map.of();
            failedMembers.clear();
            leadership.set(new CompletableFuture<>());
          });
    }

    @Override
    public void leaderChanged(String leaderUuid) {
      if (!leaderUuid.equals(environment.raft().serverUuid())) {
        endTerm();
      }
      tellChanged();
    }

    @Override
    public void configurationChanged(AgreedConfiguration configuration) {
      AgreedConfiguration before = agreed.getAndSet(configuration);
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
        LOG.warn("Tablet {}: cannot note that it has joined its group", tabletId, e);
      }
    }

    @Override
    public void notesChanged(long index) {
      notes = MemberNotes.decode(state.attribute(MemberNotes.ATTRIBUTE));
      notesIndex = index;
      tellChanged();
    }

    @Override
    public void failed(Throwable cause) {
      fail(cause);
    }

    @Override
    public void divisionClosed(boolean withServer) {
      if (!withServer) { // only who is told by another member that it is none ends so
        evicted();
      }
    }
  }
}
