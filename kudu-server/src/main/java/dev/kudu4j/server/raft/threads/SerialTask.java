package dev.kudu4j.server.raft.threads;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that runs on the shared pool whenever it is signaled, and never twice at the same time.
 *
 * <pre>
 *             signal              a thread takes it          signal
 *   IDLE ----------------&gt; SCHEDULED --------------&gt; RUNNING --------&gt; SIGNALED
 *    ^                       ^                          |                  |
 *    |                       +--------------------------|------ run ends --+
 *    +----------------------------------- run ends -----+
 * </pre>
 *
 * <p>A run that starts after a signal sees everything that happened before the signal, and
 * everything that earlier runs did. Thread-safe.
 */
public final class SerialTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SerialTask.class);

  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int SIGNALED = 3;

  private final Object name;
  private final Runnable work;
  private final RaftThreads threads;
  private final AtomicInteger state = new AtomicInteger();

  /**
   * @param name the name in log messages
   * @param work does everything that is pending when it is called
   */
  SerialTask(Object name, Runnable work, RaftThreads threads) {
    this.name = name;
    this.work = work;
    this.threads = threads;
  }

  /** Causes a run that begins after this call. */
  public void signal() {
    if (mustSchedule()) {
      threads.execute(this);
    }
  }

  /**
   * Like {@link #signal}. If the current thread runs another task, this task may run on the same
   * thread after it: this saves waking a thread. Only for tasks that end soon, or else call {@link
   * RaftThreads#passOn}.
   */
  public void signalNext() {
    if (mustSchedule()) {
      threads.executeNext(this);
    }
  }

  private boolean mustSchedule() {
    while (true) {
      switch (state.get()) {
        case IDLE -> {
          if (state.compareAndSet(IDLE, SCHEDULED)) {
            return true;
          }
        }
        case RUNNING -> {
          if (state.compareAndSet(RUNNING, SIGNALED)) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  /** Called by the pool. */
  @Override
  public void run() {
    state.set(RUNNING);
    try {
      work.run();
    } catch (Throwable e) { // the thread belongs to other groups, too
      LOG.error("{} failed", name, e);
    }
    if (!state.compareAndSet(RUNNING, IDLE)) {
      state.set(SCHEDULED);
      threads.execute(this);
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
