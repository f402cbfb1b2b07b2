package org.apache.ratis.server.raftlog.segmented;

import dev.kudu4j.server.raft.threads.RaftThreads;
import dev.kudu4j.server.raft.threads.SerialTask;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog.Task;
import org.apache.ratis.util.DataBlockingQueue;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log of one group on the shared threads, instead of on a thread of its own.
 *
 * <p>It takes the place of the worker's executor, which would run the worker's endless loop, and of
 * the worker's queue: each task that is added to the queue signals a {@link SerialTask} that
 * executes all tasks of the queue. As in Ratis, all tasks after a failed one fail.
 */
@NullMarked
public final class PooledLogWriter extends AbstractExecutorService {
  private static final Logger LOG = LoggerFactory.getLogger(PooledLogWriter.class);

  private final RaftServer.Division division;
  private final SegmentedRaftLogWorker worker;
  private final Field lastWrittenIndex;
  private final RaftThreads threads;
  private final SignalingQueue queue;
  private final SerialTask writing;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean closed;
  private @Nullable RaftLogIOException failure; // accessed only by runs of the task

  private PooledLogWriter(
      RaftServer.Division division,
      SegmentedRaftLogWorker worker,
      DataBlockingQueue<Task> replaced,
      Field lastWrittenIndex,
      RaftThreads threads) {
    this.division = division;
    this.worker = worker;
    this.lastWrittenIndex = lastWrittenIndex;
    this.threads = threads;
    this.writing = threads.task(worker, this::write);
    this.queue = new SignalingQueue(worker, replaced, writing);
  }

  /**
   * Attaches a log to the shared threads; called before the log is opened.
   *
   * @param division the log's group, closed if the log fails in an unknown way
   * @throws ReflectiveOperationException if Ratis has changed
   */
  public static void install(
      SegmentedRaftLog log, RaftServer.Division division, RaftThreads threads)
      throws ReflectiveOperationException {
    SegmentedRaftLogWorker worker =
        (SegmentedRaftLogWorker) field(SegmentedRaftLog.class, "fileLogWorker").get(log);
    Field queue = field(SegmentedRaftLogWorker.class, "queue");
    Field executor = field(SegmentedRaftLogWorker.class, "workerThreadExecutor");
    @SuppressWarnings("unchecked")
    DataBlockingQueue<Task> replaced = (DataBlockingQueue<Task>) queue.get(worker);
    PooledLogWriter writer =
        new PooledLogWriter(
            division,
            worker,
            replaced,
            field(SegmentedRaftLogWorker.class, "lastWrittenIndex"),
            threads);
    ((ExecutorService) executor.get(worker)).shutdown(); // it has started no thread yet
    executor.set(worker, writer);
    queue.set(worker, writer.queue);
  }

  private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** A queue that signals the writer; the adding thread waits while the queue is full. */
  private static final class SignalingQueue extends DataBlockingQueue<Task> {
    private final SerialTask writing;
    private volatile boolean opened;

    SignalingQueue(Object name, DataBlockingQueue<Task> replaced, SerialTask writing) {
      super(
          name,
          SizeInBytes.valueOf(replaced.getByteLimit()),
          replaced.getElementLimit(),
          Task::getSerializedSize);
      this.writing = writing;
    }

    @Override
    public boolean offer(Task task, TimeDuration timeout) throws InterruptedException {
      boolean added = super.offer(task, timeout);
      if (added && opened) {
        writing.signal();
      }
      return added;
    }

    /** The worker knows where the log ends, so tasks can be executed. */
    void open() {
      opened = true;
      writing.signal();
    }
  }

  private void write() {
    while (!closed) {
      Task task = queue.poll();
      if (task == null) {
        return;
      }
      threads.passOn(); // the commit of an earlier entry does not wait for this one
      task.stopTimerOnDequeue();
      try {
        if (execute(task)) {
          task.done();
        }
      } catch (RuntimeException | Error e) {
        giveUp(task, e);
      }
    }
    ended.complete(null);
  }

  /** Returns false if the task failed. */
  private boolean execute(Task task) {
    try {
      if (failure != null) {
        throw failure;
      }
      task.execute();
      return true;
    } catch (IOException e) {
      if (task.getEndIndex() < lastWrittenIndex()) {
        LOG.info("{} failed, but the log already begins after it: {}", worker, task, e);
        return true;
      }
      task.failed(e);
      if (failure == null) {
        failure = new RaftLogIOException(worker + " has failed at " + task, e);
      }
      return false;
    }
  }

  /** Closes the group: the task's effect on the log is unknown, so no later task is executed. */
  private void giveUp(Task task, Throwable e) {
    if (closed) {
      return;
    }
    LOG.error("{} failed at {}; the group is closed", worker, task, e);
    if (failure == null) {
      failure = new RaftLogIOException(worker + " has failed at " + task, e);
    }
    task.failed(failure);
    threads.execute(division::close);
  }

  private long lastWrittenIndex() {
    try {
      return lastWrittenIndex.getLong(worker);
    } catch (IllegalAccessException e) {
      throw new AssertionError("The field was made accessible", e);
    }
  }

  // ---- the worker's executor

  /** Called once, with the worker's loop. The queue signals its tasks instead. */
  @Override
  public Future<?> submit(Runnable loop) {
    queue.open();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void execute(Runnable command) {
    throw new UnsupportedOperationException("The log worker runs nothing but its loop");
  }

  @Override
  public void shutdown() {
    closed = true;
    writing.signal();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return closed;
  }

  @Override
  public boolean isTerminated() {
    return ended.isDone();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    threads.passOn(); // the writer may be next on this thread
    try {
      ended.get(timeout, unit);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new AssertionError("The future never fails", e);
    }
  }
}
