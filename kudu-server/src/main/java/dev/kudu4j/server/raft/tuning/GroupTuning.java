package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.common.memory.Memory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.apache.ratis.util.AutoCloseableLock;
import org.apache.ratis.util.AwaitToRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an idle Ratis group cheap, so that a server can have hundreds.
 *
 * <p>Ratis gives each group its own threads and pools, and has no settings for them. This class
 * replaces the following parts in private fields. If a version of Ratis lacks a field, that part
 * keeps Ratis' behavior and the server logs a warning.
 *
 * <ul>
 *   <li>the pool that runs heartbeats and appends: {@link SharedExecutor}
 *   <li>the thread that evicts entries from memory: {@link SharedCacheEviction}
 *   <li>the write buffer of the log, 1 MB and more: {@link LogWriteBuffers}
 * </ul>
 *
 * This class also replaces the file of the last vote by a file that survives a full disk ({@link
 * VoteFile}), and the election timeouts by timeouts that grow while elections fail ({@link
 * ElectionBackOff}). It makes sure that log files can be opened even if file descriptors run out
 * ({@link DescriptorReserve}).
 */
final class GroupTuning {
  private static final Logger LOG = LoggerFactory.getLogger(GroupTuning.class);

  private final RaftServer.Division division;
  private final Executor shared;
  private final LogWriteBuffers buffers;

  private GroupTuning(RaftServer.Division division, Executor shared, LogWriteBuffers buffers) {
    this.division = division;
    this.shared = shared;
    this.buffers = buffers;
  }

  /**
   * Changes a group that has just been started.
   *
   * @param shared runs tasks of groups outside their own threads; the tasks may block briefly
   * @param buffers source of the buffer that replaces the log's own
   * @param descriptors reserve for the log's files
   * @param backOffMillis the most by which the longest election timeout grows
   */
  static void apply(
      RaftServer.Division division,
      Executor shared,
      LogWriteBuffers buffers,
      DescriptorReserve descriptors,
      int backOffMillis) {
    GroupTuning group = new GroupTuning(division, shared, buffers);
    attempt("has a large write buffer", group::exchangeWriteBuffer);
    attempt("has a separate thread pool", group::shareExecutor);
    attempt("has a thread to evict entries", group::shareEviction);
    attempt("may lose its vote on a full disk", () -> VoteFile.takeOver(division, descriptors));
    attempt("fails if file descriptors run out", () -> descriptors.guard(division));
    attempt(
        "does not back off when elections fail",
        () -> ElectionBackOff.install(division, backOffMillis));
  }

  private interface Change {
    void make() throws ReflectiveOperationException, IOException;
  }

  private static void attempt(String otherwise, Change change) {
    try {
      change.make();
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      LOG.warn("A Raft group could not be adapted to this version of Ratis: it {}", otherwise, e);
    }
  }

  /**
   * Replaces the write buffer of the log, but only while the buffer is certainly empty. Nothing is
   * appended before a leader is known, nor while this method holds the log's lock.
   */
  @SuppressWarnings("try") // the lock is held, not used
  private void exchangeWriteBuffer() throws ReflectiveOperationException, IOException {
    RaftLogBase log = (RaftLogBase) division.getRaftLog();
    try (AutoCloseableLock ignored = log.writeLock()) {
      if (division.getInfo().getLeaderId() != null) {
        return;
      }
      Object worker = RatisField.get(log, "fileLogWorker");
      RatisField ofWorker = RatisField.of(worker, "writeBuffer");
      ByteBuffer own = (ByteBuffer) ofWorker.get();
      ByteBuffer other = buffers.allocate();
      Object openStream = RatisField.find(worker, "out");
      if (openStream != null) {
        RatisField.of(RatisField.get(openStream, "out"), "writeBuffer").set(other);
      }
      ofWorker.set(other);
      Memory.free(own);
    }
  }

  private void shareExecutor() throws ReflectiveOperationException {
    RatisField.of(division, "serverExecutor").set(new SharedExecutor(shared));
  }

  private void shareEviction() throws ReflectiveOperationException {
    Object log = division.getRaftLog();
    Method evict = log.getClass().getDeclaredMethod("checkAndEvictCache");
    evict.setAccessible(true);
    RatisField field = RatisField.of(log, "cacheEviction");
    AwaitToRun own = (AwaitToRun) field.get();
    field.set(new SharedCacheEviction(division.getMemberId(), () -> call(evict, log), shared));
    own.close();
  }

  private static void call(Method method, Object owner) {
    try {
      method.invoke(owner);
    } catch (IllegalAccessException | InvocationTargetException e) {
      LOG.warn("{} did not evict entries from memory", owner, e);
    }
  }
}
