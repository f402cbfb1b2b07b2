package dev.kudu4j.server.raft.tuning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.util.AwaitForSignal;

/**
 * Wakes the thread that applies a group's entries. A signal of Ratis is lost if the thread is not
 * waiting at that moment. Ratis therefore also polls ten times a second. This polling causes most
 * of the cost of hundreds of idle groups, and a lost signal still delays a write by up to a tenth
 * of a second. A signal of this class is kept until the thread consumes it.
 */
final class LatchedSignal extends AwaitForSignal {
  /**
   * Longest wait, instead of the time that the thread requests. It matters only for events that
   * send no signal.
   */
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
  @SuppressWarnings("WaitNotInLoop") // a spurious wakeup returns false, as a timeout does
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
