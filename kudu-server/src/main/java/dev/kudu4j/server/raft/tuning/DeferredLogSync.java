package dev.kudu4j.server.raft.tuning;

import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.raftlog.RaftLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Raft's log sync to disk now and then, where it would after each entry.
 *
 * <p>When an entry need not be on the disk before it is acknowledged, Ratis still orders a sync for
 * each one, on a thread behind, and waits for all of them when it closes a file. Under writes that
 * never ends: the disk is busy with nothing else, and each closed file stops the tablet. Measured
 * on a busy disk: entries of 127 KB took 10 ms each, and 1.1 ms without.
 *
 * <p>Ratis has no setting for it. So the executor that it gives the syncs to, and the channel that
 * they go to, are replaced in its private fields: the one runs them at once, and the other only
 * notes that a sync is due ({@link LazySyncChannel}). When a version of Ratis no longer has these
 * fields, all stays as Ratis does it.
 */
final class DeferredLogSync {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredLogSync.class);

  private DeferredLogSync() {}

  /**
   * Calms the log of one group.
   *
   * @param executor does the syncing
   * @return whether it could be done
   */
  static boolean calm(RaftLog log, ScheduledExecutorService executor) {
    try {
      Object worker = RatisField.get(log, "fileLogWorker");
      RatisField flushes = RatisField.of(worker, "flushExecutor");
      flushes.set(new Flushes((ExecutorService) flushes.get(), worker, executor));
      return true;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The log of {} syncs after each entry: Ratis is not what it was", log, e);
      return false;
    }
  }

  /** Runs what is ordered for the file that is open, on the thread that writes the log. */
  private static final class Flushes extends AbstractExecutorService {
    private final ExecutorService before;
    private final Object worker;
    private final ScheduledExecutorService executor;
    private Object lastStream; // used by the log's thread only

    Flushes(ExecutorService before, Object worker, ScheduledExecutorService executor) {
      this.before = before;
      this.worker = worker;
      this.executor = executor;
    }

    @Override
    public void execute(Runnable flush) {
      try {
        Object stream = RatisField.get(worker, "out");
        if (stream != lastStream) {
          makeLazy(RatisField.get(stream, "out"));
          lastStream = stream;
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn("The log syncs after each entry: Ratis is not what it was", e);
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
