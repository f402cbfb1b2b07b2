package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftEntry;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Submits writes to the log: a retry receives the response of its first attempt; other requests are
 * batched in the {@link WriteQueue}, whose entries are submitted to Raft. Requests are answered
 * when their entries are applied. Thread-safe.
 */
public final class WriteSubmitter {
  private final String tabletId;
  private final Runnable checkLeader;
  private final Function<RequestId, @Nullable RequestResult> remembered;
  private final WriteQueue queue;
  private final ResultTracker running = new ResultTracker();

  /**
   * @param checkLeader throws if this replica does not take writes now
   * @param mayLog whether entries may be logged now; if not, a transaction is about to commit
   * @param submit passes an entry to Raft, which reports the outcome to the entry; does not throw
   * @param remembered returns the response of a request that was applied before, or null
   */
  public WriteSubmitter(
      String tabletId,
      WriteQueue.Limits limits,
      WriteAdmission admission,
      Executor executor,
      LongSupplier nanoTime,
      Runnable checkLeader,
      BooleanSupplier mayLog,
      Consumer<RaftEntry> submit,
      Function<RequestId, @Nullable RequestResult> remembered) {
    this.tabletId = tabletId;
    this.checkLeader = checkLeader;
    this.remembered = remembered;
    this.queue =
        new WriteQueue(tabletId, limits, admission, executor, nanoTime, mayLog, submit::accept);
  }

  /** See {@code TabletReplica.write}. */
  public CompletableFuture<RequestResult> write(
      WriteSubmission submission, @Nullable CallTimeline timeline) {
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    RequestId id = submission.id();
    try {
      checkLeader.run();
      if (id != null) {
        CompletableFuture<RequestResult> first = running.begin(id, answer);
        if (first != null) {
          return first.copy();
        }
        answer.whenComplete((result, thrown) -> running.end(id));
        RequestResult before = remembered.apply(id);
        if (before != null) {
          answer.complete(before);
          return answer;
        }
      }
      queue.add(submission, timeline, answer);
    } catch (RuntimeException e) {
      answer.completeExceptionally(RaftFailures.explain(tabletId, e));
    }
    return answer;
  }

  /** See {@code TabletReplica.alterSchema}. */
  public CompletableFuture<RequestResult> alterSchema(
      Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
    return logAlone(
        () -> LogEntry.encodeAlterSchema(schema, schemaVersion, tableName, attributes),
        WriteSubmission.ANY_TERM);
  }

  /**
   * Logs an entry that is not shared with writes.
   *
   * @param term the only term in which the entry may be logged, or {@link WriteSubmission#ANY_TERM}
   */
  public CompletableFuture<RequestResult> logAlone(Supplier<byte[]> entry, long term) {
    return ifLeader(answer -> queue.addAlone(entry.get(), term, answer));
  }

  /**
   * Logs an entry with rows that is not shared with writes. The rows are admitted as those of
   * writes are.
   *
   * @param memoryBytes returns the memory that the rows occupy once applied
   * @param term the only term in which the entry may be logged, or {@link WriteSubmission#ANY_TERM}
   */
  public CompletableFuture<RequestResult> logRows(
      Supplier<byte[]> entry, LongSupplier memoryBytes, long term) {
    return ifLeader(
        answer -> queue.addRowsAlone(entry.get(), memoryBytes.getAsLong(), term, answer));
  }

  /** Logs a step of a transaction, ahead of writes that wait. */
  public CompletableFuture<RequestResult> logStep(QueuedStep step) {
    return ifLeader(answer -> queue.addStep(step, answer));
  }

  private CompletableFuture<RequestResult> ifLeader(
      Consumer<CompletableFuture<RequestResult>> log) {
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    try {
      checkLeader.run();
      log.accept(answer);
    } catch (RuntimeException e) {
      answer.completeExceptionally(RaftFailures.explain(tabletId, e));
    }
    return answer;
  }

  /** Throws if this replica does not take writes now. */
  public void checkLeader() {
    checkLeader.run();
  }

  /** Called when a transaction has ended: logs the requests again that it has blocked. */
  public void transactionEnded(long transaction) {
    queue.transactionEnded(transaction);
  }

  /** Called when a transaction was prepared again: steps and writes that waited may be logged. */
  public void transactionPrepared() {
    queue.transactionPrepared();
  }

  /** Fails the requests that transactions block, because this replica no longer leads. */
  public void failBlocked(KuduException reason) {
    queue.failBlocked(reason);
  }

  public WriteCounters counters() {
    return queue.counters();
  }

  /** The writes that wait for transactions now. */
  public WaitingWrites waitingForTransactions() {
    return queue.waitingForTransactions();
  }

  /** Number of log entries submitted. */
  public long entries() {
    return queue.entries();
  }

  /** Number of requests admitted. */
  public long requests() {
    return queue.requests();
  }

  /** Bytes of row data that are queued or in flight. */
  public long pendingBytes() {
    return queue.admittedBytes();
  }

  /** Fails all waiting and all later requests. */
  public void close(KuduException failure) {
    queue.close(failure);
  }
}
