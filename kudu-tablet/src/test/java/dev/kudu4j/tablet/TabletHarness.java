package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.SimulatedFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A replica without Raft: a tablet over simulated files, and a log that keeps all entries. Closing
 * checks that no memory and no file is held, and that all files are valid.
 */
final class TabletHarness implements AutoCloseable {
  static final Path DIRECTORY = Path.of("/tablet");

  private final SimulatedFileStore files = new SimulatedFileStore();
  private final BufferAllocator allocator = Allocators.root(1L << 30);
  private final PageCache pages;
  private final TabletEnvironment environment;
  private final List<byte[]> log = new ArrayList<>();
  private final List<List<RequestResult>> answers = new ArrayList<>();
  private Consumer<String> atCrashPoint = point -> {};
  private boolean filesAreSound = true;
  private long clock = 1000;
  private Tablet tablet;

  TabletHarness(Schema schema, TabletOptions options) throws IOException {
    this(schema, options, Map.of("partition", new byte[5]));
  }

  TabletHarness(Schema schema, TabletOptions options, Map<String, byte[]> attributes)
      throws IOException {
    pages = new PageCache(allocator, 4L * options.pageBytes()); // small, so pages are evicted
    environment =
        new TabletEnvironment(
            files,
            DIRECTORY,
            allocator,
            pages,
            point -> atCrashPoint.accept(point),
            new Random(1),
            () -> 0,
            options);
    tablet =
        Tablet.create(
            environment,
            new TabletDescriptor("0".repeat(32), "1".repeat(32), "table", schema, 1, attributes));
  }

  Tablet tablet() {
    return tablet;
  }

  TabletEnvironment environment() {
    return environment;
  }

  SimulatedFileStore files() {
    return files;
  }

  /** The timestamp that the next entry gets. */
  long nextTimestamp() {
    return clock;
  }

  /** Sets the action at crash points, which gets the name of the point; null for none. */
  void atCrashPoint(Consumer<String> action) {
    atCrashPoint = action == null ? point -> {} : action;
  }

  /**
   * Appends an entry to the log and applies it. If a file operation fails, the tablet is reopened
   * and applies the entry during replay, so no scan may be open.
   */
  List<RequestResult> write(List<WriteRequest> requests) {
    return append(LogEntry.encodeWrite(requests));
  }

  void alter(Schema schema, String tableName) {
    alter(schema, tablet.descriptor().schemaVersion() + 1, tableName);
  }

  void alter(Schema schema, int schemaVersion, String tableName) {
    append(LogEntry.encodeAlterSchema(schema, schemaVersion, tableName));
  }

  /** Changes an attribute of the tablet's descriptor. */
  void attribute(String attribute, byte[] value) {
    append(LogEntry.encodeAttributes(Map.of(attribute, value)));
  }

  /** Prepares a transaction. */
  List<RequestResult> prepare(long transaction, long commitTimestamp) {
    return append(LogEntry.encodePrepare(transaction, commitTimestamp, 1));
  }

  /** Commits a prepared transaction; the clock moves to its timestamp. */
  void commit(long transaction, long commitTimestamp) {
    if (commitTimestamp < clock) {
      throw new IllegalArgumentException(commitTimestamp + " has passed");
    }
    clock = commitTimestamp;
    append(LogEntry.encodeCommit(transaction, commitTimestamp));
  }

  /**
   * Aborts a transaction.
   *
   * @param commitTimestamp the timestamp that it has reserved, which the abort then gets, or 0
   */
  void abort(long transaction, long commitTimestamp) {
    if (commitTimestamp == 0) {
      append(LogEntry.encodeAbort(transaction));
    } else {
      clock = commitTimestamp;
      append(LogEntry.encodeAbort(transaction, commitTimestamp));
    }
  }

  /** Applies rows of a derived tablet. */
  void feed(FedRows rows) {
    appendStamped(LogEntry.encodeFeed(rows));
  }

  private List<RequestResult> append(byte[] entry) {
    LogEntry.patchTimestamp(entry, clock);
    clock += LogEntry.timestampCount(entry);
    return appendStamped(entry);
  }

  private List<RequestResult> appendStamped(byte[] entry) {
    log.add(entry);
    answers.add(null);
    try {
      answers.set(log.size() - 1, apply(log.size() - 1));
    } catch (KuduException e) {
      recover(e);
    }
    return answers.get(log.size() - 1);
  }

  /** Reopens the tablet, which then replays the entry that it could not apply. */
  private void recover(KuduException failure) {
    if (failure.code() != StatusCode.IO_ERROR) {
      throw failure;
    }
    try {
      reopen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends an entry without an effect on the tablet, like the first entry of a new leader. */
  void appendNothing() {
    log.add(null);
    answers.add(apply(log.size() - 1));
  }

  /** Advances the clock. */
  void advanceClock(long ticks) {
    clock += ticks;
  }

  private List<RequestResult> apply(int index) {
    byte[] entry = log.get(index);
    LogPosition position = new LogPosition(1 + index / 100, index);
    if (entry == null) {
      tablet.skipEntry(position);
      return List.of();
    }
    return tablet.apply(position, LogEntry.decode(entry, 0, entry.length));
  }

  /** Restarts the process in good order; unsynced bytes survive. */
  void restart() throws IOException {
    closeTablet();
    openTablet();
  }

  /** The machine loses power. Random unsynced bytes survive; none if {@code random} is null. */
  void crash(Random random) throws IOException {
    atCrashPoint(null);
    closeTablet();
    if (random == null) {
      files.crash();
    } else {
      files.crash(random);
    }
    openTablet();
  }

  /**
   * Reopens the tablet while {@code count} file operations fail, from the n-th on. If opening or
   * replay fails, opens it again without failures.
   */
  void restartFailing(long n, long count) throws IOException {
    closeTablet();
    files.failCalls(n, count);
    try {
      openTablet();
      files.failCall(0);
    } catch (IOException | KuduException e) {
      if (e instanceof KuduException failure && failure.code() != StatusCode.IO_ERROR) {
        throw e;
      }
      reopen();
    }
  }

  /**
   * Closes the tablet and tries to open it again.
   *
   * @return the error; null if it is open
   */
  KuduException tryRestart() throws IOException {
    closeTablet();
    try {
      openTablet();
      return null;
    } catch (KuduException e) {
      closeTablet();
      tablet = null;
      return e;
    }
  }

  /** Closes a replica that has failed, possibly while it was being opened, and opens it again. */
  void reopen() throws IOException {
    files.failCall(0);
    if (tablet != null) {
      tablet.close();
    }
    demandNothingHeld();
    openTablet();
  }

  private void openTablet() throws IOException {
    tablet = null;
    tablet = Tablet.open(environment);
    replay();
  }

  /** Replays the log after the checkpoint; each entry must have the same outcome as before. */
  private void replay() {
    for (int i = (int) tablet.checkpoint().index() + 1; i < log.size(); i++) {
      List<RequestResult> results = apply(i);
      if (answers.get(i) == null) {
        answers.set(i, results);
      } else if (!results.equals(answers.get(i))) {
        throw new AssertionError(
            "Entry " + i + " was answered with " + answers.get(i) + ", at replay with " + results);
      }
    }
  }

  /** Skips the check of the files at the end: the test has damaged them. */
  void expectBrokenFiles() {
    filesAreSound = false;
  }

  private void check() {
    try {
      if (filesAreSound) {
        TabletChecker.verify(environment);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void closeTablet() {
    if (tablet != null) {
      tablet.close();
    }
    demandNothingHeld();
  }

  private void demandNothingHeld() {
    if (files.openFiles() != 0 || allocator.getAllocatedMemory() != 0) {
      throw new AssertionError(files.openFiles() + " files open, " + allocator.toVerboseString());
    }
  }

  @Override
  public void close() {
    closeTablet();
    check();
    pages.close();
    allocator.close();
  }
}
