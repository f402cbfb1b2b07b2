package dev.kudu4j.common.thread;

import io.netty.util.concurrent.FastThreadLocalThread;
import org.jspecify.annotations.Nullable;

/**
 * A thread of an event loop, with the state of the short calls that it runs. Only the thread itself
 * uses the state.
 */
public final class EventLoopThread extends FastThreadLocalThread {
  private boolean nonBlocking;
  private long busySinceNanos;
  private boolean busy;

  public EventLoopThread(Runnable target, String name) {
    super(target, name);
    setDaemon(true);
  }

  /** The current thread if it is a thread of an event loop, else null. */
  public static @Nullable EventLoopThread current() {
    return Thread.currentThread() instanceof EventLoopThread loop ? loop : null;
  }

  /** Runs work that must not block: {@link WouldBlock#check} throws in it. */
  public void runNonBlocking(Runnable work) {
    boolean outer = nonBlocking;
    nonBlocking = true;
    try {
      work.run();
    } finally {
      nonBlocking = outer;
    }
  }

  boolean isNonBlocking() {
    return nonBlocking;
  }

  /**
   * Starts to count the time for which the loop is busy with calls, unless it counts already. The
   * caller schedules {@link #idle} behind the pending work of the loop if this returns true.
   */
  public boolean busy(long nowNanos) {
    if (busy) {
      return false;
    }
    busy = true;
    busySinceNanos = nowNanos;
    return true;
  }

  /** Ends the count: the loop has done all work that was pending when the count started. */
  public void idle() {
    busy = false;
  }

  /** The time for which the loop has been busy with calls. */
  public long busyNanos(long nowNanos) {
    return busy ? nowNanos - busySinceNanos : 0;
  }
}
