package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.SimulatedFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
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
 * A tablet over simulated files with a log that never forgets: what a replica is, without Raft.
 * Closing demands no memory and no open file, and files that are sound in every byte.
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
    pages = new PageCache(allocator, 4L * options.pageBytes()); // small: pages come and go
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
            new TabletDescriptor(
                "0".repeat(32),
                "1".repeat(32),
                "table",
                schema,
                1,
                Map.of("partition", new byte[5])));
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

  /** The action at the named points; null for none. */
  void atCrashPoint(Consumer<String> action) {
    atCrashPoint = action == null ? point -> {} : action;
  }

  /**
   * Appends an entry to the log and applies it. When a file fails, the tablet is opened again and
   * applies it at replay: no scan may be open then.
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

  private List<RequestResult> append(byte[] entry) {
    LogEntry.patchTimestamp(entry, clock);
    clock += LogEntry.timestampCount(entry);
    log.add(entry);
    answers.add(null);
    try {
      answers.set(log.size() - 1, apply(log.size() - 1));
    } catch (KuduException e) {
      recover(e);
    }
    return answers.get(log.size() - 1);
  }

  /** An entry that could not be applied is in the log: the tablet is opened again. */
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

  /** Appends an entry that means nothing to the tablet: a new leader's first. */
  void appendNothing() {
    log.add(null);
    answers.add(apply(log.size() - 1));
  }

  /** Lets the clock pass. */
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

  /** The process ends in good order; what was synced and what was not is there after. */
  void restart() throws IOException {
    closeTablet();
    openTablet();
  }

  /** The machine loses power; chance decides which unsynced bytes survive, or none does. */
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
   * Opens the tablet with calls failing from the n-th on; when that fails, or the replay does, once
   * more without.
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
   * Closes the tablet and opens it again, as far as its files allow.
   *
   * @return why it did not open; null when it did
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

  /** A replica that could not go on is closed, perhaps half open, and opened again. */
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

  /** Replays the log behind the checkpoint; each entry must have the outcome that it had. */
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

  /** The tablet's files are not to be checked at the end: the test has broken them. */
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
