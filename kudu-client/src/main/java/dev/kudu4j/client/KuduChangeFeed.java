package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.feed.TableFeed;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the changes of a table, in the order of their timestamps over all tablets: each exactly
 * once from a position, whichever servers die meanwhile.
 *
 * <pre>{@code
 * KuduChangeFeed feed = table.changes().from(position).build();
 * while (true) {
 *   for (KuduChange change : feed.poll(Duration.ofSeconds(1))) {
 *     apply(change);
 *   }
 *   position = feed.position();
 * }
 * }</pre>
 *
 * <p>The changes are those of the rows' states: a row that a write changes twice at one timestamp
 * has changed once, and a write that leaves a row as it was has not changed it. Dropping a range
 * partition deletes no row in this sense. A tablet of a new range partition is found within a
 * second; its first changes may come after later ones of other tablets.
 *
 * <p>The feed has the columns that the table had when it was opened. If one of them is dropped,
 * {@link #poll} fails; open the table again and go on from {@link #position}.
 *
 * <p>Not thread-safe.
 */
public final class KuduChangeFeed {
  private static final int MAX_CHANGES = 10_000;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Enough for an answer, so that a call without patience makes progress. */
  private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String tableId;
  private final Schema schema;
  private final CellLayout layout;
  private final int[] kinds;
  private final TableFeed feed;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  KuduChangeFeed(String tableId, Schema schema, CellLayout layout, TableFeed feed) {
    this.tableId = tableId;
    this.schema = schema;
    this.layout = layout;
    this.kinds = RowResult.kinds(layout, schema.getColumnCount());
    this.feed = feed;
  }

  /** The columns of the rows. */
  public Schema getSchema() {
    return schema;
  }

  /**
   * Returns the next changes, up to ten thousand. Waits until there is one, or the feed is over.
   *
   * @param timeout for how long to wait, at least a moment
   * @return empty after the time-out, and when the feed is over
   * @throws KuduException if servers do not answer in time: a later call tries again.
   *     INVALID_ARGUMENT if the history before the position has been dropped; NOT_SUPPORTED by
   *     Apache Kudu's servers
   */
  public List<KuduChange> poll(Duration timeout) throws KuduException {
    long deadline = System.nanoTime() + timeout.toNanos();
    List<KuduChange> changes = feed.take(MAX_CHANGES, this::change);
    while (changes.isEmpty() && !feed.isOver() && isAnswered(deadline)) {
      changes = feed.take(MAX_CHANGES, this::change);
      long left = deadline - System.nanoTime();
      if (changes.isEmpty() && left <= 0) {
        break;
      } else if (changes.isEmpty() && !feed.isOver()) {
        pause(left);
      }
    }
    if (!changes.isEmpty()) {
      pauseNanos = FIRST_PAUSE_NANOS;
    }
    return changes;
  }

  /** Asks servers, and returns whether they have answered before the deadline. */
  private boolean isAnswered(long deadline) throws KuduException {
    CompletableFuture<TableFeed.Answers> asked = feed.ask();
    long left = Math.max(MIN_WAIT_NANOS, deadline - System.nanoTime());
    try {
      boolean answered =
          KuduClient.join(
              asked
                  .thenApply(answers -> true)
                  .completeOnTimeout(false, left, TimeUnit.NANOSECONDS));
      if (!answered) {
        return false; // a later call waits for the answer
      }
    } catch (KuduException e) {
      if (asked.isDone()) {
        feed.failed();
      }
      throw e;
    }
    feed.add(asked.join());
    return true;
  }

  /** Waits before servers are asked again: ever longer while there is nothing new. */
  private void pause(long maxNanos) {
    LockSupport.parkNanos(this, Math.min(pauseNanos, maxNanos));
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  /** Whether all changes below the end of the feed were returned; never for a feed without end. */
  public boolean isOver() {
    return feed.isOver();
  }

  /** The position behind all changes that {@link #poll} has returned. */
  public KuduChangePosition position() {
    return new KuduChangePosition(tableId, feed.places());
  }

  private KuduChange change(
      String tabletId, long timestamp, ColumnarRows rows, int before, int after) {
    Optional<RowResult> old = row(rows, before);
    Optional<RowResult> now = row(rows, after);
    KuduChange.Type type = KuduChange.Type.UPDATE;
    if (old.isEmpty()) {
      type = KuduChange.Type.INSERT;
    } else if (now.isEmpty()) {
      type = KuduChange.Type.DELETE;
    }
    return new KuduChange(type, timestamp, old, now, tabletId);
  }

  private Optional<RowResult> row(ColumnarRows rows, int index) {
    if (index < 0) {
      return Optional.empty();
    }
    RowResult row = RowResult.of(rows, schema, layout, kinds);
    row.moveTo(index);
    return Optional.of(row);
  }
}
