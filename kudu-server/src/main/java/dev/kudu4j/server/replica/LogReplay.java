package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Whether a replica that was opened again is where it was when it ended.
 *
 * <p>What lies in its log may have been acknowledged, so a reader of the latest rows must not come
 * before it is applied. But its end may also be taken back by a later leader: then an applied entry
 * of a later term says that nothing before it is missing.
 *
 * <p>Thread-safe: entries are told by the thread that applies.
 */
final class LogReplay {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile LogPosition end;

  /**
   * The log of the opened replica ends here.
   *
   * @param applied looks how far it is by now. Asked after the end is known: an entry told before
   *     that is forgotten here, and may be the last for a long time
   */
  void expect(LogPosition logEnd, Supplier<LogPosition> applied) {
    end = logEnd;
    LogPosition already = applied.get();
    passed(already.term(), already.index());
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
