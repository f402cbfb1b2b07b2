package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.util.AwaitToRun;

/**
 * Evicts entries of a log from memory on a pool that all logs share, instead of on a thread for
 * each log.
 */
final class SharedCacheEviction extends AwaitToRun {
  private final Runnable evict;
  private final Executor shared;
  private final AtomicBoolean due = new AtomicBoolean();
  private volatile boolean closed;

  SharedCacheEviction(Object name, Runnable evict, Executor shared) {
    super(name, evict);
    this.evict = evict;
    this.shared = shared;
  }

  @Override
  public AwaitToRun start() {
    return this;
  }

  @Override
  public void signal() {
    if (due.compareAndSet(false, true)) {
      try {
        shared.execute(this::run);
      } catch (RejectedExecutionException e) {
        closed = true; // the server is closing
      }
    }
  }

  private void run() {
    due.set(false);
    if (!closed) {
      evict.run();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
