package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupStateMachine;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.election.ElectionTracker;
import dev.kudu4j.server.replica.members.MemberNotes;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.PendingEntry;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Connects Raft and the state. An entry receives its timestamp together with its index in the log
 * ({@link #preAppendTransaction}, called in log order), and is applied once it is committed ({@link
 * #applyTransaction}, called in log order by one thread). The checkpoint of the state is presented
 * to Ratis as a snapshot without files, from which Ratis only learns where replay begins.
 *
 * <p>If memory is short, an entry waits before it is applied ({@link ApplyGate}). This delays only
 * the later entries of this group.
 *
 * <p>If applying fails, the replica fails, applies no further entries and leaves the group. The
 * exception is not thrown to Ratis, whose apply thread would spin forever if it got one while the
 * division is being closed. Instead Ratis receives a failed future, and continues with the next
 * entry.
 */
final class ReplicaStateMachine extends BaseStateMachine implements GroupStateMachine {
  /** Receives events of the state machine. Called by Ratis' threads; must not block. */
  interface Listener {
    /** The Raft group is about to start with this member. */
    void starting(RaftMember member);

    long currentTerm();

    /** Whether this replica leads in the term and takes writes. */
    boolean isLed(long term);

    /** Whether the replica has stopped or failed and applies no further entries. */
    boolean hasEnded();

    /** Everything before this term is applied. */
    void leaderReady(long term);

    /** This replica leads neither the current term nor an earlier one. */
    void notLeader();

    void leaderChanged(String leaderUuid);

    /** This configuration is committed. */
    void configurationCommitted(CommittedConfiguration configuration);

    /** The log entry with this index has changed the notes on members. */
    void notesChanged(long index);

    /** The replica has failed; {@link #hasEnded} is true from now on. */
    void failed(Throwable cause);

    /** An entry cannot be applied: the replica fails and must leave its group. */
    void applyFailed(Throwable cause);

    /** An entry was appended to the log. */
    void appended(long nanos);

    /** An entry was applied. */
    void applied(LogPosition position, int bytes, long nanos);

    /** A transaction was committed or aborted in this tablet. */
    void transactionEnded(long transaction);

    /** A transaction was prepared, perhaps again. */
    void transactionPrepared();

    /** Ratis closed the division, alone or together with the whole server. */
    void divisionClosed(boolean withServer);
  }

  private static final CompletableFuture<Message> DONE =
      CompletableFuture.completedFuture(Message.EMPTY);

  private final String tabletId;
  private final ReplicaState state;
  private final SafeTime safeTime;
  private final LogReplay replay;
  private final Listener listener;
  private final LatencyHistogram applying;
  private final ApplyGate gate;
  private final LongSupplier nanoTime;
  private final ElectionTracker elections;
  private final AppliedRows applied = new AppliedRows();
  private volatile @Nullable Preparation preparation;
  private volatile long appliedBytes; // written while applying
  private long configurationTerm; // accessed only while applying

  /**
   * @param applying records the latency of each entry
   * @param gate entered for each entry
   * @param elections tracks the elections of this replica
   */
  ReplicaStateMachine(
      String tabletId,
      ReplicaState state,
      SafeTime safeTime,
      LogReplay replay,
      LatencyHistogram applying,
      ApplyGate gate,
      LongSupplier nanoTime,
      ElectionTracker elections,
      Listener listener) {
    this.tabletId = tabletId;
    this.state = state;
    this.safeTime = safeTime;
    this.replay = replay;
    this.applying = applying;
    this.gate = gate;
    this.nanoTime = nanoTime;
    this.elections = elections;
    this.listener = listener;
  }

  @Override
  public void prepareWith(Preparation preparation) {
    this.preparation = preparation;
  }

  @Override
  public void starting(RaftMember member) {
    listener.starting(member);
  }

  @Override
  public ElectionTracker elections() {
    return elections;
  }

  @Override
  public void appended(long nanos) {
    listener.appended(nanos);
  }

  /** Counts of the rows that were applied. */
  AppliedRows applied() {
    return applied;
  }

  /** Bytes of entries applied by this process. */
  long appliedBytes() {
    return appliedBytes;
  }

  /** The position up to which everything is applied. */
  LogPosition lastApplied() {
    TermIndex applied = getLastAppliedTermIndex();
    return new LogPosition(applied.getTerm(), applied.getIndex());
  }

  // ---- where replay begins

  @Override
  public void initialize(RaftServer raftServer, RaftGroupId raftGroupId, RaftStorage storage)
      throws IOException {
    super.initialize(raftServer, raftGroupId, storage);
    if (preparation != null) {
      preparation.prepare(raftServer.getDivision(raftGroupId), storage);
    }
    setLastAppliedTermIndex(toTermIndex(state.checkpoint()));
    safeTime.reservedAre(0, reservedTimestamps());
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    LogPosition checkpoint = state.checkpoint();
    return checkpoint.index() < 0 ? null : new CheckpointInfo(toTermIndex(checkpoint));
  }

  /**
   * Returns the index of the checkpoint and writes nothing: the maintenance scheduler flushes the
   * state.
   */
  @Override
  public long takeSnapshot() {
    return state.checkpoint().index();
  }

  private record CheckpointInfo(TermIndex position) implements SnapshotInfo {
    @Override
    public TermIndex getTermIndex() {
      return position;
    }

    @Override
    public List<FileInfo> getFiles() {
      return List.of();
    }
  }

  private static TermIndex toTermIndex(LogPosition position) {
    return TermIndex.valueOf(position.term(), position.index());
  }

  // ---- on the leader: appending to the log

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    if (!(request.getMessage() instanceof PendingEntry entry)) {
      return context
          .build()
          .setException(
              KuduException.notSupported(
                  "Tablet %s takes writes through the tablet server only", tabletId));
    }
    return context.setLogData(entry.getContent()).setStateMachineContext(entry).build();
  }

  /** Called under the lock that guards the term, so the entry is logged in the term read here. */
  @Override
  public TransactionContext preAppendTransaction(TransactionContext transaction)
      throws StateMachineException {
    PendingEntry entry = (PendingEntry) transaction.getStateMachineContext();
    long term = listener.currentTerm();
    if (!entry.isFor(term)) {
      throw new StateMachineException(
          "outdated",
          KuduException.illegalState(
              "Tablet %s is in term %d now, and the write belongs to another term", tabletId, term),
          false);
    }
    if (!listener.isLed(term)) { // this leader's clock may be behind an earlier promise
      throw new StateMachineException(
          "early",
          KuduException.serviceUnavailable(
              "The leader of tablet %s is not ready yet; try again", tabletId),
          false);
    }
    if (!isStamped(entry)) {
      // An exception would be simpler, but Ratis then keeps the entry's share of its limits.
      LogEntry.makeNothing(entry.bytes);
    }
    return transaction;
  }

  /** Writes its timestamp into the entry. Returns false if a transaction has reserved it. */
  private boolean isStamped(PendingEntry entry) {
    LogEntry.Type type = LogEntry.typeOf(entry.bytes);
    long timestamp;
    if (type == LogEntry.Type.FEED) {
      return true; // its effect depends on the mark of the tablet
    } else if (type == LogEntry.Type.PREPARE) {
      LogEntry prepare = decode(entry);
      if (isLate(prepare)) { // if it were refused later, it might have spent a timestamp by then
        return false;
      }
      timestamp = safeTime.prepare(prepare.commitTimestamp(), reservedBy(prepare.transaction()));
    } else if (LogEntry.hasTimestamp(entry.bytes)) {
      LogEntry end = decode(entry);
      return reservedBy(end.transaction()) == end.commitTimestamp()
          && safeTime.end(end.commitTimestamp());
    } else {
      timestamp = safeTime.begin(entry.timestamps);
    }
    if (timestamp == SafeTime.MUST_WAIT) {
      return false;
    }
    LogEntry.patchTimestamp(entry.bytes, timestamp);
    return true;
  }

  private boolean isLate(LogEntry prepare) {
    return state.openTransactions().stream()
        .filter(open -> open.id() == prepare.transaction())
        .anyMatch(
            open -> open.isPreparedLater(prepare.commitTimestamp(), prepare.coordinatorTerm()));
  }

  /** The timestamp that a transaction has reserved before; 0 if there is none. */
  private long reservedBy(long transaction) {
    return state.openTransactions().stream()
        .filter(open -> open.id() == transaction)
        .mapToLong(OpenTransaction::commitTimestamp)
        .findFirst()
        .orElse(OpenTransaction.NOT_PREPARED);
  }

  private static LogEntry decode(PendingEntry entry) {
    return LogEntry.decode(entry.bytes, 0, entry.bytes.length);
  }

  // ---- on all members: applying the log

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto raftEntry = transaction.getLogEntry();
    long term = raftEntry.getTerm();
    long index = raftEntry.getIndex();
    @Nullable PendingEntry pending =
        transaction.getStateMachineContext() instanceof PendingEntry entry ? entry : null;
    if (listener.hasEnded()) {
      return skipEntry(pending);
    }
    if (pending != null) {
      pending.committed();
    }
    try {
      LogEntry entry =
          pending != null
              ? decode(pending)
              : decode(raftEntry.getStateMachineLogEntry().getLogData());
      int bytes = raftEntry.getStateMachineLogEntry().getLogData().size();
      if (entry.type() == LogEntry.Type.NOTHING) {
        passNothing(term, index, pending);
        return DONE;
      }
      List<RequestResult> results = apply(new LogPosition(term, index), entry, bytes);
      countBytes(bytes);
      if (replay.isDone()) {
        applied.add(results, bytes);
      }
      if (entry.attributes().containsKey(MemberNotes.ATTRIBUTE)) {
        listener.notesChanged(index);
      }
      if (entry.isStepOfTransaction()) {
        safeTime.reservedAre(entry.commitTimestamp(), reservedTimestamps());
      }
      safeTime.applied(index, lastTimestamp(entry));
      updateLastAppliedTermIndex(term, index);
      replay.appliedUpTo(term, index);
      if (pending != null) {
        pending.applied(results);
      }
      if (entry.isStepOfTransaction() && !entry.endsTransaction()) {
        listener.transactionPrepared();
      }
      if (entry.endsTransaction()) {
        listener.transactionEnded(entry.transaction());
      }
      return DONE;
    } catch (Throwable e) {
      if (!listener.hasEnded()) {
        listener.applyFailed(e);
      }
      return skipEntry(pending);
    }
  }

  /** Passes an entry that was not valid any more when it was appended. */
  private void passNothing(long term, long index, @Nullable PendingEntry pending) {
    state.applyNothing(new LogPosition(term, index));
    safeTime.passed(index);
    updateLastAppliedTermIndex(term, index);
    replay.appliedUpTo(term, index);
    if (pending != null) {
      pending.notValid();
    }
  }

  private long[] reservedTimestamps() {
    return state.openTransactions().stream()
        .filter(OpenTransaction::isPrepared)
        .mapToLong(OpenTransaction::commitTimestamp)
        .sorted()
        .toArray();
  }

  /**
   * Skips an entry because the replica has ended. All later entries are skipped too, because a
   * replica that has ended never runs again.
   */
  private CompletableFuture<Message> skipEntry(@Nullable PendingEntry pending) {
    KuduException ended =
        KuduException.serviceUnavailable("The replica of tablet %s has ended", tabletId);
    if (pending != null) {
      pending.failed(ended);
    }
    return CompletableFuture.failedFuture(ended);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // entries are applied one at a time
  private void countBytes(int bytes) {
    appliedBytes += bytes;
  }

  /** Bytes of the rows that an entry applies. */
  private long appliedBytes(LogEntry entry, int bytes) {
    if (entry.type() != LogEntry.Type.COMMIT) {
      return bytes;
    }
    return state.openTransactions().stream()
        .filter(open -> open.id() == entry.transaction())
        .mapToLong(OpenTransaction::contentBytes)
        .sum();
  }

  private List<RequestResult> apply(LogPosition position, LogEntry entry, int bytes) {
    gate.enter(tabletId, appliedBytes(entry, bytes), listener::hasEnded);
    try {
      long startNanos = nanoTime.getAsLong();
      List<RequestResult> results = state.apply(position, entry);
      long nanos = nanoTime.getAsLong() - startNanos;
      applying.addNanos(nanos);
      listener.applied(position, bytes, nanos);
      return results;
    } finally {
      gate.leave();
    }
  }

  private static LogEntry decode(ByteString data) {
    ByteBuffer buffer = data.asReadOnlyByteBuffer();
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(copy);
    return LogEntry.decode(copy, 0, copy.length);
  }

  private long lastTimestamp(LogEntry entry) {
    FeedMark mark = state.feedMark();
    if (mark != null) {
      return mark.complete();
    }
    int count = entry.type() == LogEntry.Type.WRITE ? entry.requests().size() : 1;
    return entry.baseTimestamp() + count - 1;
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    if (listener.hasEnded()) {
      return;
    }
    try {
      state.applyNothing(new LogPosition(term, index));
      safeTime.passed(index);
    } catch (Throwable e) {
      if (!listener.hasEnded()) {
        listener.applyFailed(e);
      }
      return;
    }
    super.notifyTermIndexUpdated(term, index);
    replay.appliedUpTo(term, index);
  }

  // ---- other events

  /**
   * Fails the replica: the leader no longer has the entries that this replica lacks, so the replica
   * must be copied again.
   */
  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto roleInfo, TermIndex firstInLeadersLog) {
    listener.failed(
        KuduException.corruption(
            "The replica of tablet %s ends at %s, but its leader's log begins at %s: the"
                + " entries between them are deleted. The replica has to be copied again",
            tabletId, getLastAppliedTermIndex(), firstInLeadersLog));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void notifyLeaderReady() { // called when the configuration that opens the term is applied
    listener.leaderReady(configurationTerm);
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
    listener.notLeader();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId newLeader) {
    listener.leaderChanged(newLeader == null ? "" : newLeader.toString());
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    configurationTerm = term;
    if (configuration.getOldPeersCount() == 0) {
      listener.configurationCommitted(CommittedConfiguration.of(index, configuration));
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
    listener.failed(cause);
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto roleInfo, boolean allServer) {
    listener.divisionClosed(allServer);
  }
}
