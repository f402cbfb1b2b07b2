package dev.kudu4j.client.aggregate;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * One run of an aggregation over all tablets.
 *
 * <p>Some tablets are read at a time, each with a table of its own, which is merged into the result
 * when the tablet has been read to its end. So a tablet whose server is lost is simply read again.
 * If the servers cannot aggregate, the run reads rows and aggregates them here, with numbers of any
 * size.
 */
public final class AggregateRun {
  private static final int MOST_ATTEMPTS = 4;
  private static final long RETRY_MILLIS = 100;

  private final PreparedScan scan;
  private final Aggregation aggregation;
  private final int scanners;
  private final Executor executor;
  private final GroupTable result;
  private final Queue<ScanSplitter.Piece> pieces = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Void> snapshotKnown = new CompletableFuture<>();
  private volatile long snapshot;
  private volatile boolean aggregatesHere;
  private volatile boolean stopped;

  /**
   * @param scan its query has an aggregation
   * @param scanners how many tablets are read at a time
   * @param executor merges groups, because event loops must not
   */
  public AggregateRun(PreparedScan scan, int scanners, Executor executor) {
    this.scan = scan;
    this.aggregation = scan.query().aggregation();
    this.scanners = scanners;
    this.executor = executor;
    this.result = new GroupTable(aggregation);
    this.snapshot = scan.query().snapshot();
  }

  /** Reads all tablets; completes with all groups. */
  public CompletableFuture<GroupTable> run() {
    if (scan.query().matchesNothing()) {
      return CompletableFuture.completedFuture(result);
    }
    return scan.splitter(Deadline.after(scan.query().timeoutMillis()))
        .pieces(0)
        .thenCompose(
            found -> {
              pieces.addAll(found);
              return lanes(found.size());
            })
        .thenApply(done -> result);
  }

  /**
   * The first tablet's server chooses the snapshot, if the query has none; so the other tablets
   * wait for its first response.
   */
  private CompletableFuture<Void> lanes(int tablets) {
    List<CompletableFuture<Void>> lanes = new ArrayList<>();
    if (!scan.query().sharesSnapshot()) {
      snapshotKnown.complete(null);
    }
    for (int i = 0; i < Math.min(scanners, tablets); i++) {
      CompletableFuture<Void> begin =
          i == 0 ? CompletableFuture.completedFuture(null) : snapshotKnown;
      lanes.add(begin.thenCompose(known -> lane()).whenComplete((done, failure) -> ended(failure)));
    }
    return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
  }

  private void ended(Throwable failure) {
    if (failure != null) {
      stopped = true;
      snapshotKnown.completeExceptionally(failure);
    }
  }

  /** Reads tablets one after the other until none is left. */
  private CompletableFuture<Void> lane() {
    ScanSplitter.Piece piece = stopped ? null : pieces.poll();
    return piece == null
        ? CompletableFuture.completedFuture(null)
        : read(piece, 1).thenCompose(done -> lane());
  }

  private CompletableFuture<Void> read(ScanSplitter.Piece piece, int attempt) {
    boolean here = aggregatesHere;
    return read(piece, here)
        .handle(
            (groups, failure) -> {
              if (failure == null) {
                if (!stopped) {
                  merge(groups);
                }
                return CompletableFuture.<Void>completedFuture(null);
              }
              boolean refused = !here && cannotAggregate(failure);
              if (refused) {
                aggregatesHere = true;
              }
              if (!stopped
                  && attempt < MOST_ATTEMPTS
                  && (refused || ScanFailures.mayReadAgain(failure))) {
                return scan.cluster()
                    .after(refused ? 0 : RETRY_MILLIS)
                    .thenCompose(waited -> read(piece, attempt + 1));
              }
              return CompletableFuture.<Void>failedFuture(Failures.unwrap(failure));
            })
        .thenCompose(done -> done);
  }

  /**
   * Whether the servers have no aggregations, or not this one: a number does not fit into 64 bits.
   */
  private static boolean cannotAggregate(Throwable failure) {
    return ScanFailures.isAggregationRefused(failure)
        || (Failures.unwrap(failure) instanceof KuduException known
            && known.code() == StatusCode.NOT_SUPPORTED);
  }

  private synchronized void merge(GroupTable groups) {
    result.addGroups(groups);
  }

  /**
   * @param here whether this client aggregates, and evaluates the condition
   */
  private CompletableFuture<GroupTable> read(ScanSplitter.Piece piece, boolean here) {
    GroupTable groups = new GroupTable(aggregation);
    ScanQuery whole = scan.query();
    LocalRows local = here ? new LocalRows(aggregation, whole.condition()) : null;
    ScanQuery asked = here ? whole.ofRows(new ProjectedColumns(local.columns()), null) : whole;
    KeyInterval partition =
        new KeyInterval(piece.tablet().partition().start(), piece.tablet().partition().end());
    ScanQuery part = asked.part(partition, piece.keys(), snapshot, Long.MAX_VALUE);
    RowBatchDecoder decoder = RowBatchDecoder.ofEither(new CellLayout(part.projection()));
    BiConsumer<GroupTable, RowBatch> add = here ? local::addTo : GroupTable::addGroups;
    TableScan<RowBatch> reading = scan.scan(part, decoder).failFast();
    return steps(reading, groups, add)
        .whenComplete((done, failure) -> close(reading)); // does nothing if it was read to its end
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private static void close(TableScan<RowBatch> reading) {
    reading.close();
  }

  private CompletableFuture<GroupTable> steps(
      TableScan<RowBatch> reading, GroupTable groups, BiConsumer<GroupTable, RowBatch> add) {
    return reading
        .next()
        .thenComposeAsync(
            batch -> {
              if (snapshot == ScanQuery.NO_TIMESTAMP) {
                snapshot = reading.snapshot();
              }
              snapshotKnown.complete(null);
              if (batch.rows() != null) {
                add.accept(groups, batch.rows());
              }
              return batch.hasMore() && !stopped
                  ? steps(reading, groups, add)
                  : CompletableFuture.completedFuture(groups);
            },
            executor);
  }
}
