package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Whether a replica that was opened again has applied everything that its log held.
 *
 * <p>Entries in its log may have been acknowledged, so a reader of the latest rows must wait until
 * they are applied. But a later leader may take the end of the log back: then an applied entry of a
 * later term shows that nothing before it is missing.
 *
 * <p>Thread-safe: the thread that applies reports entries.
 */
final class LogReplay {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile LogPosition end;

  /**
   * Sets where the log of the opened replica ends.
   *
   * @param applied returns what is applied by now. It is called after the end is set: entries that
   *     were reported earlier are not remembered here, and the next entry may be far away
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
