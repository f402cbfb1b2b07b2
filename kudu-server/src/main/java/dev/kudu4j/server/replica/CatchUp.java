package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a replica that was opened again is where it was when it ended.
 *
 * <p>What lies in its log may have been acknowledged, so a reader of the latest rows must not come
 * before it is applied. But its end may also be taken back by a later leader: then an applied entry
 * of a later term says that nothing before it is missing.
 *
 * <p>Thread-safe: entries are told by the thread that applies.
 */
final class CatchUp {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile LogPosition end;

  /**
   * The log of the opened replica ends here.
   *
   * @param applied so far; entries told before this call have been forgotten
   */
  void expect(LogPosition logEnd, LogPosition applied) {
    end = logEnd;
    passed(applied.term(), applied.index());
  }

  /** Everything up to here is applied. */
  void passed(long term, long index) {
    LogPosition wanted = end;
    if (wanted != null && !done.isDone() && (index >= wanted.index() || term > wanted.term())) {
      done.complete(null);
    }
  }

  void fail(KuduException why) {
    done.completeExceptionally(why);
  }

  boolean isDone() {
    return done.isDone();
  }

  /** Completed on the thread that applies: continue elsewhere. */
  CompletableFuture<Void> whenDone() {
    return done.copy();
  }
}
