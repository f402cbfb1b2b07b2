package dev.kudu4j.tserver.derived;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsResponsePB;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.derived.FeedMerge;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tserver.tablets.Derivation;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds a derived tablet while this server leads it, in one term: reads all sources, each from
 * where it is known, merges their rows, and logs them, one entry at a time.
 *
 * <p>Sources with nothing new are asked again after a pause, or at once if a reader waits for a
 * snapshot that the tablet does not have. Thread-safe.
 */
final class FeedPump implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FeedPump.class);

  /** Half of what the log takes: the marks come in addition, and a row may be large. */
  private static final long MAX_ENTRY_BYTES = 512 << 10;

  /** The share of a source in it is a limit of its rows that wait for other sources. */
  private static final int MAX_BUFFERED_BYTES = 16 << 20;

  private static final int MAX_REPLY_BYTES = 1 << 20;

  private static final long BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long OTHER_BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long FAILURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Without rows and readers, an entry is logged only so often, so that stale reads find one. */
  private static final long IDLE_ENTRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What is known of a source, in addition to the merge. */
  private static final class Source {
    private boolean asked;
    private long nextNanos;

    /** Not even readers hasten it. */
    private long failedUntilNanos;

    Source(long nowNanos) {
      this.nextNanos = nowNanos;
      this.failedUntilNanos = nowNanos;
    }

    void failed(long nowNanos) {
      failedUntilNanos = nowNanos + FAILURE_PAUSE_NANOS;
      nextNanos = failedUntilNanos;
    }

    boolean isDue(long nowNanos, boolean readerWaits) {
      return nextNanos - nowNanos <= 0 || (readerWaits && failedUntilNanos - nowNanos <= 0);
    }
  }

  private final HostedTablet tablet;
  private final long term;
  private final SourceClient client;
  private final HybridClock clock;
  private final ScheduledExecutorService timer;
  private final Executor executor;
  private final RateLimitedLog limited = new RateLimitedLog(LOG);
  private final AtomicBoolean woken = new AtomicBoolean();

  @GuardedBy("this")
  private final Map<String, Source> sources = new HashMap<>();

  @GuardedBy("this")
  private @Nullable Derivation derivation;

  /** The ids of the sources that can have rows of this tablet. */
  @GuardedBy("this")
  private List<String> sourceIds = List.of();

  @GuardedBy("this")
  private @Nullable FeedMerge merge;

  /** Counts the merges: replies to requests for an earlier one are passed over. */
  @GuardedBy("this")
  private long generation;

  @GuardedBy("this")
  private boolean logging;

  @GuardedBy("this")
  private long loggedNanos = System.nanoTime();

  /** When a source had rows. */
  @GuardedBy("this")
  private long rowsNanos = System.nanoTime();

  @GuardedBy("this")
  private long pausedUntilNanos = System.nanoTime();

  /** The only one that is pending. */
  @GuardedBy("this")
  private @Nullable ScheduledFuture<?> alarm;

  @GuardedBy("this")
  private long alarmNanos;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param timer never blocked
   * @param executor runs short steps
   */
  FeedPump(
      HostedTablet tablet,
      long term,
      SourceClient client,
      HybridClock clock,
      ScheduledExecutorService timer,
      Executor executor) {
    this.tablet = tablet;
    this.term = term;
    this.client = client;
    this.clock = clock;
    this.timer = timer;
    this.executor = executor;
    tablet.replica().feed().onReader(this::wake);
  }

  long term() {
    return term;
  }

  /** Looks for work soon, on another thread. Does not block. */
  void wake() {
    if (!woken.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(
          () -> {
            woken.set(false);
            step();
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Tablet {}: the server stops", tablet.tabletId());
    }
  }

  private synchronized void step() {
    if (closed || tablet.hasFeedEnded()) {
      return;
    }
    if (!tablet.isRunning()) {
      wakeAfter(IDLE_PAUSE_NANOS);
      return;
    }
    long pause = pausedUntilNanos - System.nanoTime();
    if (pause > 0) {
      wakeAfter(pause);
      return;
    }
    try {
      long before = clock.now(); // a source that is added later has later rows
      FeedMerge merging = current();
      if (merging.hasNoSources()) {
        merging.knownUpTo(before);
      }
      log(merging);
      ask(merging, tablet.replica().safeTime().wanted().snapshot());
    } catch (RuntimeException e) {
      limited.warn("Tablet {}: the feed of the index waits", tablet.tabletId(), e);
      pause();
      wakeAfter(FAILURE_PAUSE_NANOS);
    }
  }

  /** Nothing is read and logged for a while, for example because memory is short. */
  @GuardedBy("this")
  private void pause() {
    pausedUntilNanos = System.nanoTime() + FAILURE_PAUSE_NANOS;
  }

  /** The merge of the sources that the tablet has now. */
  @GuardedBy("this")
  private FeedMerge current() {
    Derivation now = tablet.derivation();
    if (now == null) {
      throw new IllegalStateException("Tablet " + tablet.tabletId() + " has no derivation");
    }
    FeedMerge merging = merge;
    if (merging == null || !now.equals(derivation)) {
      sourceIds = sourcesOf(now);
      merging = new FeedMerge(sourceIds, tablet.replica().feed().mark());
      restart(merging);
      derivation = now;
    }
    return merging;
  }

  private List<String> sourcesOf(Derivation now) {
    List<HashDimension> hashed = tablet.partitionSchema().hashDimensions();
    return hashed.isEmpty()
        ? now.sources()
        : now.sourcesOf(tablet.partition().hashBucket(0), hashed.get(0).bucketCount());
  }

  @GuardedBy("this")
  private void restart(@Nullable FeedMerge next) {
    merge = next;
    generation++;
    sources.clear();
  }

  @GuardedBy("this")
  private void ask(FeedMerge merging, long wanted) {
    Derivation asked = derivation;
    assert asked != null : "the merge has sources";
    long now = System.nanoTime();
    long next = now + IDLE_PAUSE_NANOS;
    int share = MAX_BUFFERED_BYTES / Math.max(1, sourceIds.size());
    for (String id : sourceIds) {
      Source source = sources.computeIfAbsent(id, unknown -> new Source(now));
      FeedPosition from = merging.position(id);
      if (source.asked || merging.bufferedBytes(id) >= share) {
        continue;
      }
      if (source.isDue(now, from.timestamp() < wanted)) {
        source.asked = true;
        ask(asked, id, source, from, wanted, Math.min(share, MAX_REPLY_BYTES));
      } else {
        next = Math.min(next, source.nextNanos);
      }
    }
    wakeAfter(Math.max(1, next - now));
  }

  @GuardedBy("this")
  private void ask(
      Derivation asked, String id, Source source, FeedPosition from, long wanted, int maxBytes) {
    long askedFor = generation;
    client
        .read(tablet, asked, id, from, wanted, maxBytes)
        .whenCompleteAsync(
            (reply, failure) -> {
              try {
                received(askedFor, id, source, reply, failure);
              } catch (RuntimeException e) {
                failed(source, e);
              }
              wake();
            },
            executor);
  }

  private synchronized void failed(Source source, RuntimeException failure) {
    source.failed(System.nanoTime());
    limited.warn("Tablet {}: rows of the index could not be taken", tablet.tabletId(), failure);
  }

  private synchronized void received(
      long askedFor,
      String id,
      Source source,
      @Nullable ReadIndexRowsResponsePB reply,
      @Nullable Throwable failure) {
    source.asked = false;
    FeedMerge merging = merge;
    if (closed || askedFor != generation || merging == null) {
      return;
    }
    long now = System.nanoTime();
    if (reply == null) {
      source.failed(now);
      limited.warn(
          "Tablet {}: tablet {} of the indexed table cannot be read: {}",
          tablet.tabletId(),
          id,
          failure == null ? "no reply" : Failures.unwrap(failure).getMessage());
      return;
    }
    if (reply.getHistoryLost()) {
      tablet.markStale();
      LOG.warn(
          "Tablet {}: changes of tablet {} of the indexed table are no longer kept, and the index"
              + " must be built again",
          tablet.tabletId(),
          id);
      return;
    }
    if (reply.hasFailure()) {
      tablet.markIncomplete(reply.getFailure());
      LOG.warn("Tablet {}: the index has failed: {}", tablet.tabletId(), reply.getFailure());
      return;
    }
    if (clock.isTrusted(reply.getNextTimestamp())) {
      // The server's clock is at or above the time of the tablet. So a new tablet of the table,
      // which is created after the master has heard from this server, has later rows only.
      clock.update(reply.getNextTimestamp());
    }
    merging.received(
        id,
        parts(reply),
        new FeedPosition(
            reply.getNextTimestamp(),
            reply.hasNextAfterKey() ? reply.getNextAfterKey().toByteArray() : null));
    tablet.noteFeedKnown(merging.known());
    if (reply.getGroupsCount() > 0) {
      rowsNanos = now;
    }
    source.nextNanos = reply.getMore() ? now : now + pauseAfter(reply, now);
  }

  /** A source without rows holds back those of others. */
  @GuardedBy("this")
  private long pauseAfter(ReadIndexRowsResponsePB reply, long now) {
    if (reply.getGroupsCount() > 0) {
      return BUSY_PAUSE_NANOS;
    }
    return now - rowsNanos < RECENT_NANOS ? OTHER_BUSY_PAUSE_NANOS : IDLE_PAUSE_NANOS;
  }

  private List<FeedMerge.Part> parts(ReadIndexRowsResponsePB reply) {
    TabletDescriptor descriptor = tablet.tablet().descriptor();
    Schema schema = descriptor.schema();
    RowLayout layout = RowLayout.of(schema);
    int[] columnIds = schema.columns().stream().mapToInt(ColumnSchema::id).toArray();
    List<FeedMerge.Part> parts = new ArrayList<>(reply.getGroupsCount());
    for (ReadIndexRowsResponsePB.GroupPB group : reply.getGroupsList()) {
      RowOperations rows =
          RowOperations.of(
              layout, group.getRows().toByteArray(), group.getIndirectData().toByteArray());
      WriteRequest request = new WriteRequest(null, descriptor.schemaVersion(), columnIds, rows);
      parts.add(
          new FeedMerge.Part(
              new FedRows.Group(group.getTimestamp(), request),
              new FeedPosition(
                  group.getBehindTimestamp(),
                  group.hasBehindKey() ? group.getBehindKey().toByteArray() : null)));
    }
    return parts;
  }

  /** Logs the next entry, unless one is under way. Without rows, readers need none. */
  @GuardedBy("this")
  private void log(FeedMerge merging) {
    if (logging) {
      return;
    }
    if (!merging.hasRows()) {
      if (!tablet.replica().feed().hasNoMoreRows(merging.mark(), merging.known())) {
        restart(null); // another entry was applied
        wake();
        return;
      }
      if (System.nanoTime() - loggedNanos < IDLE_ENTRY_NANOS) {
        return;
      }
    }
    FedRows rows = merging.next(MAX_ENTRY_BYTES);
    if (rows == null) {
      return;
    }
    logging = true;
    long of = generation;
    tablet
        .replica()
        .feed()
        .add(rows, term)
        .whenCompleteAsync(
            (mark, failure) -> {
              logged(of, rows.to(), mark, failure);
              wake();
            },
            executor);
  }

  private synchronized void logged(
      long of, FeedMark expected, @Nullable FeedMark mark, @Nullable Throwable failure) {
    logging = false;
    loggedNanos = System.nanoTime();
    if (of == generation && !expected.equals(mark)) { // lost, refused, or another leader's
      restart(null);
    }
    if (failure != null && !closed) {
      limited.warn(
          "Tablet {}: rows of the index could not be logged: {}",
          tablet.tabletId(),
          Failures.unwrap(failure).getMessage());
      pause();
    }
  }

  /** Wakes this after a time, unless that happens before anyway. */
  @GuardedBy("this")
  private void wakeAfter(long nanos) {
    long now = System.nanoTime();
    long at = now + nanos;
    ScheduledFuture<?> known = alarm;
    if (known != null) {
      if (alarmNanos - now > 0 && alarmNanos - at <= 0) {
        return;
      }
      known.cancel(false); // it may have gone off
    }
    alarmNanos = at;
    alarm = timer.schedule(this::wake, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
