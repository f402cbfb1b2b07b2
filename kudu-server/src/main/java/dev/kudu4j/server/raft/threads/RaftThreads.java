package dev.kudu4j.server.raft.threads;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads and a timer for all groups of a process.
 *
 * <p>Tasks may block: applying waits for memory, and a log may wait for the disk. The pool has
 * twice as many threads as processors. While a task waits for a thread longer than {@link
 * #PATIENCE_MILLIS}, the pool grows, so blocked groups do not delay the others for long. Idle
 * threads end after some seconds.
 *
 * <p>The timer calls its tasks on a single thread, so they must not block; they pass blocking work
 * to the pool. Thread-safe.
 */
public final class RaftThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RaftThreads.class);

  private static final int PATIENCE_MILLIS = 10;
  private static final int IDLE_SECONDS = 10;
  private static final int MAX_THREADS = 1 << 14;

  /** Resolution of timeouts. They end up to two ticks late. */
  private static final int TICK_MILLIS = 20;

  private static final int WHEEL_TICKS = 512;

  private final ThreadPoolExecutor pool;
  private final HashedWheelTimer timer;
  private final int fewestThreads;
  private final ElectionGate elections = new ElectionGate(this);
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicBoolean watched = new AtomicBoolean();

  /** A thread of the pool, with the task that it runs after the current one. */
  private static final class PoolThread extends Thread {
    private final RaftThreads owner;
    private @Nullable SerialTask next; // accessed only by this thread

    PoolThread(RaftThreads owner, Runnable loop, int number) {
      super(loop, "raft-groups-" + number);
      this.owner = owner;
      setDaemon(true);
    }
  }

  public RaftThreads() {
    this(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()));
  }

  RaftThreads(int fewestThreads) {
    this.fewestThreads = fewestThreads;
    this.pool =
        new ThreadPoolExecutor(
            fewestThreads,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            loop -> new PoolThread(this, loop, started.incrementAndGet()));
    pool.allowCoreThreadTimeOut(true);
    this.timer =
        new HashedWheelTimer(
            new DefaultThreadFactory("raft-timeouts", true),
            TICK_MILLIS,
            TimeUnit.MILLISECONDS,
            WHEEL_TICKS,
            false);
  }

  /** A task that runs on these threads. */
  public SerialTask task(Object name, Runnable work) {
    return new SerialTask(name, work, this);
  }

  /**
   * Calls the action once, after the given time or slightly later; it must not block.
   *
   * @throws IllegalStateException if these threads are closed
   */
  public Timeout after(long millis, Runnable action) {
    return timer.newTimeout(timeout -> action.run(), millis, TimeUnit.MILLISECONDS);
  }

  /** Limits the elections of this server's groups. */
  public ElectionGate elections() {
    return elections;
  }

  /** Runs blocking work. Does nothing once these threads are closed. */
  public void execute(Runnable work) {
    try {
      executeOrReject(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is not run: the server is closed", work, e);
    }
  }

  /**
   * Runs blocking work.
   *
   * @throws RejectedExecutionException once these threads are closed
   */
  public void executeOrReject(Runnable work) {
    Queued queued = new Queued(work, System.nanoTime());
    try {
      pool.execute(queued);
    } catch (OutOfMemoryError e) { // no thread could be started; the existing ones take it
      LOG.error("The operating system refused another thread; see ulimit -u", e);
      pool.getQueue().add(queued);
    }
    if (!pool.getQueue().isEmpty()) {
      watch();
    }
  }

  /** Runs a task after the current one of this thread, or else like {@link #execute}. */
  void executeNext(SerialTask task) {
    PoolThread thread = poolThread();
    if (thread != null && thread.next == null) {
      thread.next = task;
    } else {
      execute(task);
    }
  }

  /**
   * Lets another thread run the task that should run next on this one, because the current task
   * continues or is about to wait. Has no effect on other threads.
   */
  public void passOn() {
    PoolThread thread = poolThread();
    if (thread != null && thread.next != null) {
      SerialTask next = thread.next;
      thread.next = null;
      execute(next);
    }
  }

  /** Work in the queue of the pool, with the time at which it was added. */
  private final class Queued implements Runnable {
    private final Runnable work;
    private final long nanos;

    Queued(Runnable work, long nanos) {
      this.work = work;
      this.nanos = nanos;
    }

    @Override
    public void run() {
      runAll(work);
    }
  }

  private @Nullable PoolThread poolThread() {
    return Thread.currentThread() instanceof PoolThread thread && thread.owner == this
        ? thread
        : null;
  }

  private void runAll(Runnable first) {
    PoolThread thread = poolThread();
    assert thread != null : "only threads of the pool run its work";
    @Nullable Runnable current = first;
    while (current != null) {
      try {
        current.run();
      } catch (RuntimeException | Error e) {
        LOG.error("{} failed", current, e);
      }
      current = thread.next;
      thread.next = null;
    }
  }

  // ---- growth

  /** Looks at the queue after a while, unless that is already planned. */
  private void watch() {
    if (watched.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    try {
      after(PATIENCE_MILLIS, this::look);
    } catch (IllegalStateException e) {
      LOG.debug("The server is closed", e);
    }
  }

  /** Adds threads if the head of the queue has waited too long; removes them when it is empty. */
  private void look() {
    boolean again = true;
    try {
      Runnable head = pool.getQueue().peek();
      int size = pool.getCorePoolSize();
      if (head == null) {
        again = false;
        if (size != fewestThreads) {
          pool.setCorePoolSize(fewestThreads);
        }
      } else if (head instanceof Queued queued
          && System.nanoTime() - queued.nanos > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
        pool.setCorePoolSize(Math.min(MAX_THREADS, size + Math.max(1, size / 2)));
      }
    } finally {
      if (again) {
        lookLater();
      } else {
        watched.set(false);
        if (!pool.getQueue().isEmpty()) { // a task came before the flag was cleared
          watch();
        }
      }
    }
  }

  /** Threads that currently exist. */
  public int size() {
    return pool.getPoolSize();
  }

  /** Ends the threads; scheduled work is still done, timeouts are dropped. */
  @Override
  public void close() {
    timer.stop();
    pool.shutdown();
  }
}
