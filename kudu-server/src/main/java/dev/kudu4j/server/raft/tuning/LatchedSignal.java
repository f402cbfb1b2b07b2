package dev.kudu4j.server.raft.tuning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.util.AwaitForSignal;

/**
 * Wakes the one thread that applies a group's entries. Ratis' own forgets a signal that is given
 * while nobody waits; for that case its thread looks ten times a second, which is most of what
 * hundreds of groups cost at rest, and a lost signal still delays a write by a tenth of a second.
 * This one remembers, so that the thread need not look.
 */
final class LatchedSignal extends AwaitForSignal {
  /** Stands in for whatever time the thread wants to wait; only for what nobody signals. */
  private static final long LOOK_MILLIS = 2_000;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean signaled;

  LatchedSignal(Object name) {
    super(name);
  }

  @Override
  public void signal() {
    synchronized (lock) {
      signaled = true;
      lock.notifyAll();
    }
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    synchronized (lock) {
      if (!signaled) {
        lock.wait(LOOK_MILLIS);
      }
      boolean was = signaled;
      signaled = false;
      return was;
    }
  }

  @Override
  public void await() throws InterruptedException {
    while (!await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {}
  }
}
