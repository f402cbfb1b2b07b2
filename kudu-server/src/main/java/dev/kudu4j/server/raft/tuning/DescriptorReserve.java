package dev.kudu4j.server.raft.tuning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.rpc.RateLimitedLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File descriptors reserved for logs. If connections and other files use up all remaining
 * descriptors, the next log file can still be opened.
 *
 * <p>If Ratis cannot open the next file of a log, it abandons the log permanently, and the replica
 * fails. Each opening of a file therefore goes through this class first. If no descriptors are
 * left, the reserved descriptors are closed to make room, and reopened when the shortage is over.
 * If the freed descriptors are used up too, the thread that opens the file waits: the writes to
 * that log stall, but nothing fails.
 *
 * <p>Thread-safe.
 */
final class DescriptorReserve implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DescriptorReserve.class);
  private static final RateLimitedLog WARNINGS = new RateLimitedLog(LOG);

  private static final Path ANYTHING = Path.of("/dev/null");
  private static final int KEPT = 32;

  /**
   * Number of descriptors that must be free before a file is opened. One would not suffice, because
   * other threads may take some at the same moment.
   */
  private static final int NEEDED = 4;

  private static final int RETRY_MILLIS = 20;
  private static final int REFILL_MILLIS = 1_000;

  private final ScheduledExecutorService executor;

  @GuardedBy("this")
  private final Deque<FileChannel> kept = new ArrayDeque<>();

  private volatile boolean closed;

  private DescriptorReserve(ScheduledExecutorService executor) {
    this.executor = executor;
  }

  /**
   * @param executor reopens the reserved descriptors when the shortage is over
   */
  static DescriptorReserve open(ScheduledExecutorService executor) {
    DescriptorReserve reserve = new DescriptorReserve(executor);
    reserve.refill();
    return reserve;
  }

  /** Makes the log of a group call {@link #makeRoom} before it opens a file. */
  void guard(RaftServer.Division division) throws ReflectiveOperationException {
    Object worker = RatisField.get(division.getRaftLog(), "fileLogWorker");
    RatisField field = RatisField.of(worker, "storage");
    RaftStorage storage = (RaftStorage) field.get();
    BooleanSupplier needed = () -> division.getInfo().isAlive();
    // The log asks the storage for its directory before it opens a file.
    field.set(asking(storage, needed));
  }

  private RaftStorage asking(RaftStorage storage, BooleanSupplier needed) {
    return (RaftStorage)
        Proxy.newProxyInstance(
            RaftStorage.class.getClassLoader(),
            new Class<?>[] {RaftStorage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getStorageDir")) {
                makeRoom(needed);
              }
              try {
                return method.invoke(storage, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Closes the reserved descriptors if descriptors are short. Does not wait. */
  void makeRoomNow() {
    if (isShort()) {
      lend();
    }
  }

  /**
   * Waits until a file can be opened or is no longer needed.
   *
   * @param needed whether the file is still needed
   */
  void makeRoom(BooleanSupplier needed) {
    while (!closed && isShort() && needed.getAsBoolean()) {
      if (!lend()) {
        WARNINGS.warn(
            "No file descriptors are left, so writes to logs wait; raise the limit (ulimit -n)");
        try {
          Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private static boolean isShort() {
    Deque<FileChannel> probes = new ArrayDeque<>();
    try {
      while (probes.size() < NEEDED) {
        probes.add(FileChannel.open(ANYTHING, StandardOpenOption.READ));
      }
      return false;
    } catch (IOException e) {
      return true;
    } finally {
      probes.forEach(DescriptorReserve::closeQuietly);
    }
  }

  /** Closes the reserved descriptors. Returns false if none are reserved now. */
  private boolean lend() {
    synchronized (this) {
      if (kept.isEmpty()) {
        return false;
      }
      kept.forEach(DescriptorReserve::closeQuietly);
      kept.clear();
    }
    LOG.warn(
        "File descriptors are used up; logs now use the {} that are reserved for them; raise the"
            + " limit (ulimit -n)",
        KEPT);
    refillLater();
    return true;
  }

  private void refillLater() {
    try {
      executor.schedule(this::refill, REFILL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("File descriptors are not reserved again: the server is closing", e);
    }
  }

  /** Reserves {@link #KEPT} descriptors or none, so as not to worsen a shortage. */
  private synchronized void refill() {
    if (closed) {
      return;
    }
    Deque<FileChannel> taken = new ArrayDeque<>();
    try {
      while (taken.size() < KEPT) {
        taken.add(FileChannel.open(ANYTHING, StandardOpenOption.READ));
      }
    } catch (IOException e) {
      taken.forEach(DescriptorReserve::closeQuietly);
      refillLater();
      return;
    }
    kept.addAll(taken);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("A file could not be closed", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    synchronized (this) {
      kept.forEach(DescriptorReserve::closeQuietly);
      kept.clear();
    }
  }
}
