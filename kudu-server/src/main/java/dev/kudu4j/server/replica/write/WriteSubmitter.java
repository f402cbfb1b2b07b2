package dev.kudu4j.server.replica.write;

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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The way of a write into the log: a retry gets the answer of its first try, other requests are
 * gathered in the {@link WriteQueue}, and its entries are submitted to Raft. The answers come from
 * where entries are applied. Thread-safe.
 */
public final class WriteSubmitter {
  private final String tabletId;
  private final Runnable checkLeader;
  private final Function<RequestId, RequestResult> remembered;
  private final WriteQueue queue;
  private final ResultTracker running = new ResultTracker();

  /**
   * @param checkLeader throws if this replica takes no writes now
   * @param submit hands an entry to Raft and tells the entry its fate; does not throw
   * @param remembered returns the answer of a request that was applied before, or null
   */
  public WriteSubmitter(
      String tabletId,
      WriteQueue.Limits limits,
      WriteAdmission admission,
      Executor executor,
      LongSupplier nanoTime,
      Runnable checkLeader,
      Consumer<RaftEntry> submit,
      Function<RequestId, RequestResult> remembered) {
    this.tabletId = tabletId;
    this.checkLeader = checkLeader;
    this.remembered = remembered;
    this.queue = new WriteQueue(tabletId, limits, admission, executor, nanoTime, submit::accept);
  }

  /** See {@code TabletReplica.write}. */
  public CompletableFuture<RequestResult> write(WriteSubmission submission) {
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
      queue.add(submission, answer);
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
   * Logs an entry of its own, without writes.
   *
   * @param term the only term in which it may be logged, or {@link WriteSubmission#ANY_TERM}
   */
  public CompletableFuture<RequestResult> logAlone(Supplier<byte[]> entry, long term) {
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    try {
      checkLeader.run();
      queue.addAlone(entry.get(), term, answer);
    } catch (RuntimeException e) {
      answer.completeExceptionally(RaftFailures.explain(tabletId, e));
    }
    return answer;
  }

  public WriteCounters counters() {
    return queue.counters();
  }

  /** Log entries submitted. */
  public long entries() {
    return queue.entries();
  }

  /** Requests admitted. */
  public long requests() {
    return queue.requests();
  }

  /** Bytes of row data that wait or are under way. */
  public long pendingBytes() {
    return queue.admittedBytes();
  }

  /** Fails all requests that wait, and all later ones. */
  public void close(KuduException why) {
    queue.close(why);
  }
}
