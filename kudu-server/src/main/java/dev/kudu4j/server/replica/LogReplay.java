package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a reopened replica has applied all entries that its log held.
 *
 * <p>Entries in its log may have been acknowledged, so a reader of the latest rows must wait until
 * they are applied. A later leader may truncate the end of the log, so the last of these entries
 * may never be applied. In that case an applied entry of a later term shows that no acknowledged
 * entry is missing.
 *
 * <p>Thread-safe: the apply thread reports entries.
 */
final class LogReplay {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile @Nullable LogPosition end; // null until the log is opened

  /**
   * Sets the end of the opened replica's log.
   *
   * @param applied returns the last applied position. It is called after the end is set, because
   *     earlier reports of entries are not remembered and the next report may come much later
   */
  void setLogEnd(LogPosition logEnd, Supplier<LogPosition> applied) {
    end = logEnd;
    LogPosition already = applied.get();
    appliedUpTo(already.term(), already.index());
  }

  /** Called when everything up to this position is applied. */
  void appliedUpTo(long term, long index) {
    LogPosition wanted = end;
    if (wanted != null && !done.isDone() && (index >= wanted.index() || term > wanted.term())) {
      done.complete(null);
    }
  }

  void fail(KuduException failure) {
    done.completeExceptionally(failure);
  }

  boolean isDone() {
    return done.isDone();
  }

  /** Completed on the apply thread; continue on another thread. */
  CompletableFuture<Void> whenDone() {
    return done.copy();
  }
}
