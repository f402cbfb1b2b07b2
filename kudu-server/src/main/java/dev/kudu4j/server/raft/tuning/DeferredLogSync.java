package dev.kudu4j.server.raft.tuning;

import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs Raft's log to disk periodically instead of after each entry.
 *
 * <p>Even if entries need not be on disk before they are acknowledged, Ratis requests a sync for
 * each entry on a background thread, and waits for all these syncs when it closes a file. Under
 * steady writes the disk is busy with syncs, and each closed file stalls the tablet.
 *
 * <p>Ratis has no setting for this. This class therefore replaces the executor of the syncs and the
 * channel that they sync, which are private fields: the new executor runs a sync immediately, and
 * the new channel only records that a sync is due ({@link LazySyncChannel}). As the executor
 * notices each new file, it also replaces the file's checksum ({@link LogChecksum}).
 */
final class DeferredLogSync {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredLogSync.class);

  private DeferredLogSync() {}

  /**
   * Defers the syncs of the log of one group.
   *
   * @param executor runs the syncs
   * @return whether Ratis has the required fields
   */
  static boolean install(RaftLog log, ScheduledExecutorService executor) {
    try {
      Object worker = RatisField.get(log, "fileLogWorker");
      RatisField flushes = RatisField.of(worker, "flushExecutor");
      flushes.set(new Flushes((ExecutorService) flushes.get(), worker, executor));
      return true;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The log of {} syncs after each entry: Ratis has changed", log, e);
      return false;
    }
  }

  /** Runs syncs of the open file on the thread that writes the log. */
  private static final class Flushes extends AbstractExecutorService {
    private final ExecutorService before;
    private final Object worker;
    private final ScheduledExecutorService executor;
    private @Nullable Object lastStream; // used by the log's thread only

    Flushes(ExecutorService before, Object worker, ScheduledExecutorService executor) {
      this.before = before;
      this.worker = worker;
      this.executor = executor;
    }

    @Override
    public void execute(Runnable flush) {
      try {
        Object stream = RatisField.find(worker, "out");
        if (stream != null && stream != lastStream) {
          makeLazy(RatisField.get(stream, "out"));
          lastStream = stream;
          LogChecksum.install(stream);
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn("The log syncs after each entry: Ratis has changed", e);
        before.execute(flush);
        return;
      }
      flush.run();
    }

    private void makeLazy(Object file) throws ReflectiveOperationException {
      RatisField channel = RatisField.of(file, "fileChannel");
      channel.set(new LazySyncChannel((FileChannel) channel.get(), executor));
    }

    @Override
    public void shutdown() {
      before.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
      return before.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
      return before.isShutdown();
    }

    @Override
    public boolean isTerminated() {
      return before.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      return before.awaitTermination(timeout, unit);
    }
  }
}
