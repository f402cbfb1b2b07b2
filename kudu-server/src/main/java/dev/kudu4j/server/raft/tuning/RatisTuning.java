package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.server.raft.threads.RaftThreads;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.MemoizedSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes Ratis internals where Ratis has no settings, and holds the resources for these changes:
 * write buffers and file descriptors that all groups share.
 *
 * <p>Thread-safe.
 */
public final class RatisTuning implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RatisTuning.class);

  /**
   * Number of groups that are created or opened concurrently. Each group starts several threads. A
   * JVM starts only one thread at a time and waits until that thread has been scheduled. More
   * concurrency would not be faster, but would delay the elections and heartbeats of all other
   * groups.
   */
  private static final int OPENING_THREADS =
      Math.min(8, Math.max(2, Runtime.getRuntime().availableProcessors()));

  private final int backOffMillis;
  private final boolean syncEachEntry;
  private final ScheduledThreadPoolExecutor syncs;
  private final RaftThreads threads;
  private final LogWriteBuffers buffers;
  private final DescriptorReserve descriptors;

  private RatisTuning(
      RaftThreads threads, int backOffMillis, boolean syncEachEntry, LogWriteBuffers buffers) {
    this.backOffMillis = backOffMillis;
    this.syncEachEntry = syncEachEntry;
    this.syncs = syncThread();
    this.threads = threads;
    this.buffers = buffers;
    this.descriptors = DescriptorReserve.open(syncs);
  }

  private static ScheduledThreadPoolExecutor syncThread() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "log-sync");
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static ThreadPoolExecutor pool(int threads, String name) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Reduces Ratis' metrics for the whole process; called before the first server is built. */
  public static void tuneProcess() {
    MetricsTuning.install();
  }

  /** Lets the server open several groups concurrently; called before its first group is added. */
  public static void tuneServer(RaftServer server) {
    try {
      RatisField.of(server, "implExecutor")
          .set(MemoizedSupplier.valueOf(() -> pool(OPENING_THREADS, "raft-open")));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "Raft groups are opened sequentially: this version of Ratis lacks a field that is needed",
          e);
    }
  }

  /**
   * Allocates the resources that the groups of a server share.
   *
   * @param directory the directory of the logs
   * @param threads the threads of all groups
   * @param writeBufferBytes size of each log's write buffer
   * @param backOffMillis the most by which the longest election timeout grows
   * @param syncEachEntry whether an entry must be on the disk before it is acknowledged
   */
  public static RatisTuning open(
      Path directory,
      RaftThreads threads,
      int writeBufferBytes,
      int backOffMillis,
      boolean syncEachEntry)
      throws IOException {
    return new RatisTuning(
        threads, backOffMillis, syncEachEntry, LogWriteBuffers.open(directory, writeBufferBytes));
  }

  /**
   * Changes a group that has just been started.
   *
   * @param appended receives the duration of each append to the log, in nanoseconds; must not block
   */
  public void tuneGroup(RaftServer.Division division, LongConsumer appended) {
    GroupTuning.apply(division, threads::executeOrReject, buffers, descriptors, backOffMillis);
    AppendTimer.install(division, appended);
    if (!syncEachEntry) {
      DeferredLogSync.install(division.getRaftLog(), syncs);
    }
  }

  /** Releases threads that wait for file descriptors, because the server is about to close. */
  public void stopWaiting() {
    descriptors.close();
  }

  /** Releases the resources after the server has closed. Pending syncs are still performed. */
  @Override
  public void close() {
    descriptors.close();
    syncs.shutdown();
    try {
      buffers.close();
    } catch (IOException e) {
      LOG.warn("The file behind the write buffers could not be closed", e);
    }
  }
}
