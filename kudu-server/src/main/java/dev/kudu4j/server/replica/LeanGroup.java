package dev.kudu4j.server.replica;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.apache.ratis.util.AutoCloseableLock;
import org.apache.ratis.util.AwaitForSignal;
import org.apache.ratis.util.AwaitToRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a group of Ratis cheap at rest, so that a server can have hundreds.
 *
 * <p>Ratis gives each group threads and pools of its own and has no settings for it. Private fields
 * are replaced, each for itself; where Ratis is not what it was, all stays as Ratis does it and the
 * log says so.
 *
 * <ul>
 *   <li>the pool that heartbeats and appends go through: {@link SharedExecutor}
 *   <li>the thread that evicts entries from memory: {@link SharedEviction}
 *   <li>the ten looks a second of the thread that applies: {@link StickySignal}
 *   <li>the write buffer of the log, 1 MB and more: {@link WriteBuffers}
 * </ul>
 *
 * And the file of the last vote is replaced by one that survives a full disk: {@link VoteFile}; the
 * time-outs by ones that grow while elections fail: {@link ElectionBackOff}; and files are opened
 * though there are no descriptors left: {@link DescriptorReserve}.
 */
final class LeanGroup {
  private static final Logger LOG = LoggerFactory.getLogger(LeanGroup.class);

  private final RaftServer.Division division;
  private final Executor shared;
  private final WriteBuffers buffers;

  private LeanGroup(RaftServer.Division division, Executor shared, WriteBuffers buffers) {
    this.division = division;
    this.shared = shared;
    this.buffers = buffers;
  }

  /**
   * Changes a group that has just been started.
   *
   * @param shared runs what groups do beside their threads; its tasks may block for a moment
   * @param buffers one of them takes the place of the log's own
   * @param descriptors what the log's files are opened with when there are no others
   * @param backOffMillis how much time-outs grow at most
   */
  static void make(
      RaftServer.Division division,
      Executor shared,
      WriteBuffers buffers,
      DescriptorReserve descriptors,
      int backOffMillis) {
    LeanGroup group = new LeanGroup(division, shared, buffers);
    attempt("has a large write buffer", group::exchangeWriteBuffer);
    attempt("has a pool of its own", group::shareExecutor);
    attempt("has a thread to evict entries", group::shareEviction);
    attempt("may lose its vote on a full disk", () -> VoteFile.takeOver(division, descriptors));
    attempt("gives its log up without descriptors", () -> descriptors.guard(division));
    attempt(
        "elects as often as ever when that fails",
        () -> ElectionBackOff.install(division, backOffMillis));
    attempt("looks for entries to apply ten times a second", group::rememberSignals);
  }

  private interface Change {
    void make() throws ReflectiveOperationException, IOException;
  }

  private static void attempt(String otherwise, Change change) {
    try {
      change.make();
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      LOG.warn("A Raft group {}: Ratis is not what it was", otherwise, e);
    }
  }

  /**
   * Only while the buffer is known to be empty: nothing is appended before a leader is known, and
   * not while the log is locked here.
   */
  @SuppressWarnings({
    "try", // the lock is held, not used
    "deprecation" // Ratis allocates the buffer with Netty, and has no method to free it
  })
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
      Object openStream = RatisField.get(worker, "out");
      if (openStream != null) {
        RatisField.of(RatisField.get(openStream, "out"), "writeBuffer").set(other);
      }
      ofWorker.set(other);
      PlatformDependent.freeDirectBuffer(own);
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
    field.set(new SharedEviction(division.getMemberId(), () -> call(evict, log), shared));
    own.close();
  }

  private static void call(Method method, Object owner) {
    try {
      method.invoke(owner);
    } catch (IllegalAccessException | InvocationTargetException e) {
      LOG.warn("{} did not evict entries from memory", owner, e);
    }
  }

  private void rememberSignals() throws ReflectiveOperationException {
    Object state = RatisField.get(division, "state");
    Object updater = ((Supplier<?>) RatisField.get(state, "stateMachineUpdater")).get();
    RatisField field = RatisField.of(updater, "awaitForSignal");
    AwaitForSignal forgetful = (AwaitForSignal) field.get();
    StickySignal sticky = new StickySignal(division.getMemberId());
    field.set(sticky);
    sticky.signal(); // for what was given to the other one last
    forgetful.signal();
  }
}
