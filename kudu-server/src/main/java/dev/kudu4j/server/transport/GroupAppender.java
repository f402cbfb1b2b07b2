package dev.kudu4j.server.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.util.AwaitForSignal;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the log to one follower of one group while this server leads the group.
 *
 * <p>An appender has no thread. Events wake it: new entries, a commit, a response, a connection
 * that comes up or is lost, room in the window, a timer tick. It then runs one step on the shared
 * pool.
 *
 * <pre>
 *   answers --&gt; heartbeat, if due --&gt; notification, if entries are missing --&gt; appends
 *           --&gt; commit index, if no append carries it
 * </pre>
 *
 * <p>Steps never overlap, and each step sees the effects of the previous one: only steps access the
 * non-final fields. The Ratis base class also creates a thread, which is never started.
 */
final class GroupAppender extends LogAppenderBase {
  private static final Logger LOG = LoggerFactory.getLogger(GroupAppender.class);

  private static final int HEARTBEATS_UNDER_WAY = 2;
  private static final int FIRST_PAUSE_MILLIS = 20;
  private static final int LONGEST_PAUSE_MILLIS = 1_000;
  private static final int NOTICE_PAUSE_MILLIS = 100;

  /** Ticks within which a follower must have been heard to be quiet. */
  private static final int RECENT_TICKS = 4;

  private final RaftLog log;
  private final RemoteServer remote;
  private final int maxBytes;
  private final boolean proven;
  private final int tickMillis;
  private final Executor steps;
  private final ScheduledExecutorService timer;
  private final AwaitForSignal signal;
  private final Runnable wake = this::wake;
  private final AtomicInteger wakes = new AtomicInteger();
  private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

  private final AtomicLong lastCall = new AtomicLong();

  private final Map<Long, Append> underWay = new HashMap<>();
  private int heartbeats; // unanswered
  private boolean committing; // an append that only carries the commit index is unanswered
  private long sentCommit = RaftLog.INVALID_LOG_INDEX; // sent on the data connection
  private boolean noticed; // an InstallSnapshot notification is unanswered
  private boolean confirmed; // the follower has answered since the last failure
  private int failures; // in a row
  private boolean paused;
  private volatile boolean hasEverything; // the follower has all entries of the log
  private volatile boolean due; // a tick has found that a heartbeat is due

  /**
   * @param proven whether the follower's server has proven its identity
   */
  GroupAppender(
      RaftServer.Division division,
      LeaderState leader,
      FollowerInfo follower,
      RemoteServer remote,
      int maxBytes,
      boolean proven,
      int tickMillis,
      Executor steps,
      ScheduledExecutorService timer) {
    super(division, leader, follower);
    this.log = division.getRaftLog();
    this.remote = remote;
    this.maxBytes = maxBytes;
    this.proven = proven;
    this.tickMillis = tickMillis;
    this.steps = steps;
    this.timer = timer;
    this.signal =
        new AwaitForSignal(follower.getName()) {
          @Override
          public void signal() {
            wake();
          }
        };
  }

  @Override
  public AwaitForSignal getEventAwaitForSignal() {
    return signal;
  }

  @Override
  public void start() {
    remote.add(this);
    wake();
  }

  @Override
  public CompletableFuture<LifeCycle.State> stopAsync() {
    remote.remove(this);
    return super.stopAsync();
  }

  /** Never called, because the thread of the base class is never started. */
  @Override
  public void run() {
    throw new UnsupportedOperationException("Steps run on the shared pool");
  }

  @Override
  public long getCallId() {
    return lastCall.get();
  }

  @Override
  public Comparator<Long> getCallIdComparator() {
    return Comparator.naturalOrder();
  }

  @Override
  public boolean hasPendingDataRequests() {
    return !underWay.isEmpty();
  }

  /**
   * Sends a heartbeat if it is due within half a tick. Heartbeats of several groups are thus sent
   * together.
   *
   * @param beats receives the heartbeat if the group is quiet; null if the other server does not
   *     understand such messages
   */
  void tick(@Nullable Beats beats) {
    if (getHeartbeatWaitTimeMs() > tickMillis / 2) {
      return;
    }
    if (!isRunning()) {
      return;
    }
    long commitIndex = log.getLastCommittedIndex();
    if (beats != null && isQuiet(commitIndex)) {
      getFollower().updateLastRpcSendTime(true);
      beats.add(
          this,
          getServer().getMemberId().getGroupId().getUuid(),
          getServer().getInfo().getCurrentTerm(),
          commitIndex);
    } else {
      beatAlone();
    }
  }

  /** Wakes the appender to send a heartbeat of its own. */
  void beatAlone() {
    due = true;
    wake();
  }

  /** The follower has answered a heartbeat that was sent at this time. */
  void beatHeard(Timestamp sent) {
    getFollower().updateLastRespondedAppendEntriesSendTime(sent);
    getFollower().updateLastRpcResponseTime();
  }

  /**
   * Whether the follower had acknowledged all entries at the last step, the first entry of this
   * term among them, has acknowledged the commit index, and has been heard recently. A newer entry
   * causes a step. Takes no lock, because the thread of the timer serves all groups.
   */
  private boolean isQuiet(long commitIndex) {
    FollowerInfo follower = getFollower();
    return hasEverything
        && follower.getCommitIndex() == commitIndex
        && follower.getLastRpcResponseTime().elapsedTimeMs() < (long) RECENT_TICKS * tickMillis;
  }

  /** Schedules a step unless one is already scheduled. */
  void wake() {
    if (wakes.getAndIncrement() == 0) {
      schedule();
    }
  }

  private void schedule() {
    try {
      steps.execute(this::step);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} stops: the transport is closed", this, e);
    }
  }

  private void step() {
    int seen = wakes.get();
    try {
      for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
        answer.run();
      }
      if (isRunning() && !paused) {
        send();
      }
    } catch (IOException | RuntimeException | Error e) { // otherwise no step would follow
      if (isRunning()) { // otherwise the term has ended
        LOG.warn("{} failed in a step; it pauses and retries", this, e);
        pause();
      }
    }
    if (wakes.addAndGet(-seen) != 0) {
      schedule();
    }
  }

  private void send() throws IOException {
    hasEverything = false;
    if (due || getHeartbeatWaitTimeMs() <= 0) {
      beat();
      getLeaderState().checkHealth(getFollower());
    }
    if (noticeMissingLog()) {
      return;
    }
    while (mayAppend() && append()) {}
    sendCommit();
    hasEverything = underWay.isEmpty() && getFollower().getMatchIndex() == log.getNextIndex() - 1;
  }

  // ---- heartbeats

  private void beat() throws RaftLogIOException {
    if (!remote.control().isUp()) {
      remote.control().connect();
    } else if (heartbeats < HEARTBEATS_UNDER_WAY) {
      due = false;
      resetHeartbeatTrigger();
      AppendEntriesRequestProto beat = newAppendEntriesRequest(lastCall.incrementAndGet(), true);
      heartbeats++;
      getFollower().updateLastRpcSendTime(true);
      remote.control().send(MessageKind.APPEND, beat, new EmptyAppend(() -> heartbeats--));
    }
  }

  /** An unanswered append without entries. */
  private final class EmptyAppend implements AnswerHandler {
    private final Timestamp sent = Timestamp.currentTime();
    private final Runnable ended;

    /**
     * @param ended runs in a step once the append is answered or has failed
     */
    EmptyAppend(Runnable ended) {
      this.ended = ended;
    }

    @Override
    public void answered(CodedInputStream body) throws IOException {
      AppendEntriesReplyProto reply = AppendEntriesReplyProto.parseFrom(body);
      later(
          () -> {
            ended.run();
            onReply(reply, sent, RaftLog.INVALID_LOG_INDEX, true);
          });
    }

    @Override
    public void failed(CallFailure failure) {
      later(
          () -> {
            ended.run();
            sentCommit = RaftLog.INVALID_LOG_INDEX;
            if (failure.isAtPeer()) {
              pause();
            }
          });
    }
  }

  // ---- the commit index

  /**
   * Sends the commit index alone when no append carries it. Without this, the follower would learn
   * of the last commit only from the next heartbeat, and a READ_LATEST scan on the follower would
   * miss rows that were acknowledged up to half a second ago. Under load, appends carry the commit
   * index, and this method sends nothing.
   */
  private void sendCommit() throws RaftLogIOException {
    long committed = getRaftLog().getLastCommittedIndex();
    if (committing
        || !underWay.isEmpty()
        || hasAppendEntries()
        || committed <= sentCommit
        || !remote.data().isUp()) {
      return;
    }
    AppendEntriesRequestProto commit = newAppendEntriesRequest(lastCall.incrementAndGet(), true);
    committing = true;
    sentCommit = committed;
    getFollower().updateLastRpcSendTime(false);
    remote.data().send(MessageKind.APPEND, commit, new EmptyAppend(() -> committing = false));
  }

  // ---- appends

  private boolean mayAppend() {
    if (underWay.size() >= (confirmed ? TransportOptions.APPENDS_UNDER_WAY : 1)
        || !hasAppendEntries()) {
      return false;
    }
    if (!remote.data().isUp()) {
      remote.data().connect();
      return false;
    }
    return remote.window().hasRoom(wake);
  }

  /** Sends the next entries. Returns false if they are not available. */
  private boolean append() throws IOException {
    long next = getFollower().getNextIndex();
    TermIndex previous = getPrevious(next);
    boolean followsCheckpoint = next == getFollower().getSnapshotIndex() + 1;
    if (previous == null && next > RaftLog.LEAST_VALID_LOG_INDEX && !followsCheckpoint) {
      return false; // the previous entry is not in the log; the next step sends a notification
    }
    List<LogEntryProto> entries = entriesFrom(next);
    if (entries.isEmpty()) {
      return false;
    }
    long call = lastCall.incrementAndGet();
    AppendEntriesRequestProto request =
        getLeaderState().newAppendEntriesRequestProto(getFollower(), entries, previous, call);
    Append append = new Append(call, next, request.getSerializedSize());
    underWay.put(call, append);
    sentCommit = Math.max(sentCommit, request.getLeaderCommit());
    getFollower().increaseNextIndex(next + entries.size());
    assert isInOrder(getFollower()) : indexes();
    getFollower().updateLastRpcSendTime(false);
    remote.window().take(append.bytes);
    remote.data().send(MessageKind.APPEND, request, append);
    return true;
  }

  private List<LogEntryProto> entriesFrom(long next) throws IOException {
    List<LogEntryProto> entries = new ArrayList<>();
    long end = getRaftLog().getNextIndex();
    int bytes = 0;
    for (long index = next; index < end; index++) {
      LogEntryProto entry = getRaftLog().get(index);
      if (entry == null) {
        break;
      }
      bytes += entry.getSerializedSize();
      if (bytes > maxBytes && !entries.isEmpty()) {
        break;
      }
      entries.add(entry);
    }
    return entries;
  }

  /** An unanswered append with entries. */
  private final class Append implements AnswerHandler {
    private final long call;
    private final long first;
    private final int bytes;
    private final Timestamp sent = Timestamp.currentTime();

    Append(long call, long first, int bytes) {
      this.call = call;
      this.first = first;
      this.bytes = bytes;
    }

    @Override
    public void answered(CodedInputStream body) throws IOException {
      AppendEntriesReplyProto reply = AppendEntriesReplyProto.parseFrom(body);
      remote.window().give(bytes);
      later(() -> onReply(reply, sent, first, underWay.remove(call) != null));
    }

    @Override
    public void failed(CallFailure failure) {
      remote.window().give(bytes);
      later(
          () -> {
            if (underWay.remove(call) != null) {
              goBackTo(first);
              if (failure.isAtPeer()) {
                pause();
              }
            }
          });
    }
  }

  /** Makes the next step resend the entries from this index on, which did not arrive. */
  private void goBackTo(long first) {
    FollowerInfo follower = getFollower();
    follower.setNextIndex(
        Math.max(follower.getMatchIndex() + 1, Math.min(first, follower.getNextIndex())));
    assert isInOrder(follower) : indexes();
    confirmed = false;
    sentCommit = RaftLog.INVALID_LOG_INDEX;
  }

  /**
   * Whether the next index to send is above the follower's match index. Entries that the follower
   * has are not sent again, and a match index never decreases.
   */
  static boolean isInOrder(FollowerInfo follower) {
    return follower.getMatchIndex() < follower.getNextIndex();
  }

  private String indexes() {
    FollowerInfo follower = getFollower();
    return this
        + " sends from "
        + follower.getNextIndex()
        + ", but the follower has the log up to "
        + follower.getMatchIndex();
  }

  // ---- responses

  /** Runs the action in the next step. */
  private void later(Runnable answer) {
    answers.add(answer);
    wake();
  }

  /**
   * Handles a response of the follower to an append.
   *
   * @param first index of the first entry; INVALID_LOG_INDEX if the append had no entries
   * @param awaited false if all unanswered appends, including this one, were abandoned after they
   *     were sent; an INCONSISTENCY reply is then ignored
   */
  private void onReply(AppendEntriesReplyProto reply, Timestamp sent, long first, boolean awaited) {
    FollowerInfo follower = getFollower();
    if (!isRunning() || isNonsense(reply)) {
      return;
    }
    follower.updateLastRespondedAppendEntriesSendTime(sent);
    follower.updateLastRpcResponseTime();
    failures = 0;
    switch (reply.getResult()) {
      case SUCCESS -> {
        confirmed = true;
        getLeaderState().onFollowerCommitIndex(follower, reply.getFollowerCommit());
        if (follower.updateMatchIndex(reply.getMatchIndex())) {
          follower.updateNextIndex(reply.getMatchIndex() + 1);
          assert isInOrder(follower) : indexes();
          getLeaderState().onFollowerSuccessAppendEntries(follower);
        }
      }
      case NOT_LEADER -> {
        if (onFollowerTerm(reply.getTerm())) {
          return;
        }
      }
      case INCONSISTENCY -> {
        if (awaited) {
          underWay.clear(); // their responses still arrive; only successful ones are used
          confirmed = true;
          sentCommit = RaftLog.INVALID_LOG_INDEX;
          follower.setNextIndex(getNextIndexForInconsistency(first, reply.getNextIndex()));
        }
      }
      default -> LOG.warn("{}: unknown result of an append: {}", this, reply.getResult());
    }
    getLeaderState().onAppendEntriesReply(this, reply);
  }

  /** Ratis does not validate replies. A reply with impossible values is ignored. */
  private boolean isNonsense(AppendEntriesReplyProto reply) {
    try {
      MessageCheck.appendReply(
          reply, getServer().getInfo().getCurrentTerm(), getRaftLog().getNextIndex() - 1, proven);
      return false;
    } catch (RejectedMessage e) {
      LOG.warn("{} ignores an invalid reply of the follower: {}", this, e.getMessage());
      pause();
      return true;
    }
  }

  private void pause() {
    int millis = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures++, 10));
    pause(millis);
  }

  private void pause(int millis) {
    if (paused) {
      return;
    }
    paused = true;
    try {
      timer.schedule(() -> later(() -> paused = false), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} stops: the transport is closed", this, e);
    }
  }

  // ---- entries that are no longer in the log

  /**
   * Sends an InstallSnapshot notification if the follower needs entries that are no longer in the
   * log. Returns true while the follower must obtain its state in another way before entries can be
   * sent.
   */
  private boolean noticeMissingLog() {
    TermIndex firstAvailable = noticed ? null : shouldNotifyToInstallSnapshot();
    if (firstAvailable != null && remote.control().isUp()) {
      noticed = true;
      getFollower().updateLastRpcSendTime(false);
      remote
          .control()
          .send(
              MessageKind.NOTICE,
              newInstallSnapshotNotificationRequest(firstAvailable),
              new Notice());
    }
    return noticed || firstAvailable != null;
  }

  /**
   * An InstallSnapshot notification: the log begins after the entries that the follower needs. The
   * response reports whether and up to which index the follower has obtained its state.
   */
  private final class Notice implements AnswerHandler {
    @Override
    public void answered(CodedInputStream body) throws IOException {
      InstallSnapshotReplyProto reply = InstallSnapshotReplyProto.parseFrom(body);
      long term = getServer().getInfo().getCurrentTerm();
      MessageCheck.snapshotReply(reply, term, proven);
      later(
          () -> {
            noticed = false;
            getFollower().updateLastRpcResponseTime();
            failures = 0;
            if (isRunning()) {
              onReply(reply);
            }
          });
    }

    @Override
    public void failed(CallFailure failure) {
      later(
          () -> {
            noticed = false;
            pause();
          });
    }
  }

  private void onReply(InstallSnapshotReplyProto reply) {
    FollowerInfo follower = getFollower();
    switch (reply.getResult()) {
      case SUCCESS -> {
        follower.setAttemptedToInstallSnapshot();
        pause(NOTICE_PAUSE_MILLIS);
      }
      case IN_PROGRESS -> pause(NOTICE_PAUSE_MILLIS);
      case NOT_LEADER -> onFollowerTerm(reply.getTerm());
      case ALREADY_INSTALLED -> installed(reply.getSnapshotIndex());
      case SNAPSHOT_INSTALLED -> {
        installed(reply.getSnapshotIndex());
        if (follower.getNextIndex() >= getRaftLog().getStartIndex()) {
          tellInstalled(InstallSnapshotResult.SUCCESS, reply.getSnapshotIndex());
        }
      }
      case SNAPSHOT_UNAVAILABLE -> {
        follower.setAttemptedToInstallSnapshot();
        tellInstalled(InstallSnapshotResult.SNAPSHOT_UNAVAILABLE, RaftLog.INVALID_LOG_INDEX);
        pause(NOTICE_PAUSE_MILLIS);
      }
      default -> {
        LOG.warn(
            "{}: unexpected InstallSnapshot reply (the follower's next entry is no longer in the"
                + " log): {}",
            this,
            reply.getResult());
        pause();
      }
    }
  }

  private void installed(long index) {
    getFollower().setSnapshotIndex(index);
    getFollower().setAttemptedToInstallSnapshot();
    getLeaderState().onFollowerCommitIndex(getFollower(), index);
    getFollower().updateNextIndex(index + 1);
  }

  private void tellInstalled(InstallSnapshotResult result, long index) {
    getServer()
        .getStateMachine()
        .event()
        .notifySnapshotInstalled(result, index, getFollower().getPeer());
  }
}
