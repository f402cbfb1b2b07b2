package dev.kudu4j.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyMerge;
import dev.kudu4j.client.scan.KeyOrder;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The rows of all tablets in the order of the primary key.
 *
 * <p>Servers order the rows of a tablet. Tablets whose keys overlap, the hash buckets of a range,
 * are read in parallel and merged. Ranges are read sequentially if they are in key order.
 *
 * <pre>
 *   range 0          range 1          range 2
 *   bucket 0 --\     bucket 0         ...
 *   bucket 1 --+-->  bucket 1
 *   bucket 2 --/     bucket 2
 *   open, merged     not opened yet
 * </pre>
 *
 * <p>Each open tablet holds two batches in memory: the one that is being merged and the prefetched
 * one. All tablets are read at one snapshot. If the query does not specify the snapshot, the server
 * of the first tablet chooses it, and the other tablets are opened after that server's response.
 * Each tablet's scan survives the loss of a server.
 */
public final class MergedRows<B> implements RowStream<B> {
  private final PreparedScan scan;
  private final CellLayout layout;
  private final int[] keyColumns;
  private final BatchDecoder<RowBatch> decoder;
  private final ResultFactory<B> results;

  // The position of the merge; written by the running step, read by the next one.
  private Deque<List<RemoteTablet>> groups; // groups to read after the current one; null at first
  private List<RemoteTablet> group = List.of();
  private KeyMerge merge; // of the current group; null before the first group
  private long rowsLeft;
  private volatile long snapshot;

  /** The sources of the group's open tablets; also read by {@link #close}. */
  @GuardedBy("this")
  private List<Source> sources = List.of();

  @GuardedBy("this")
  private boolean closed;

  private volatile boolean over;

  /** One tablet's part in the merge. */
  private static final class Source {
    final BatchStream<RowBatch> batches;
    volatile FetchedBatch<RowBatch> arrived; // null if merged or not fetched
    boolean answered;
    boolean hasRows;
    boolean over;

    Source(BatchStream<RowBatch> batches) {
      this.batches = batches;
    }

    boolean isHungry() {
      return !hasRows && !over;
    }
  }

  public MergedRows(
      PreparedScan scan, CellLayout layout, RowBatchDecoder decoder, ResultFactory<B> results) {
    this.scan = scan;
    this.layout = layout;
    this.keyColumns = keyColumns(scan.query());
    this.decoder = decoder;
    this.results = results;
    this.rowsLeft = scan.query().limit();
    this.snapshot = scan.query().snapshot();
  }

  private static int[] keyColumns(ScanQuery query) {
    Schema table = query.table();
    int[] columns = new int[table.keyColumnCount()];
    List<String> read = query.projection().columns().stream().map(column -> column.name()).toList();
    Arrays.setAll(columns, i -> read.indexOf(table.column(i).name()));
    return columns;
  }

  @Override
  public CompletableFuture<B> nextRows() {
    CompletableFuture<B> next = new CompletableFuture<>();
    if (groups == null) {
      findTablets()
          .whenComplete(
              (found, failure) -> {
                if (failure == null) {
                  groups = new ArrayDeque<>(found);
                }
                goOn(next, failure);
              });
    } else {
      goOn(next, null);
    }
    return next;
  }

  private CompletableFuture<List<List<RemoteTablet>>> findTablets() {
    ScanQuery query = scan.query();
    return scan.splitter(Deadline.after(query.timeoutMillis()))
        .tablets()
        .thenApply(found -> KeyOrder.groups(query.table(), query.partitions(), found));
  }

  /** Fetches until every tablet of the group has a row or is exhausted; then merges. */
  private void goOn(CompletableFuture<B> next, Throwable failure) {
    if (failure != null) {
      next.completeExceptionally(failure);
      return;
    }
    try {
      List<CompletableFuture<Void>> fetching = fetch();
      if (fetching.isEmpty()) {
        next.complete(emit());
      } else {
        CompletableFuture.allOf(fetching.toArray(CompletableFuture[]::new))
            .whenComplete((done, failed) -> goOn(next, failed));
      }
    } catch (RuntimeException e) { // otherwise next never completes
      next.completeExceptionally(e);
    }
  }

  private synchronized List<CompletableFuture<Void>> fetch() {
    if (closed) {
      return List.of();
    }
    takeIn();
    if (isGroupRead() && !groups.isEmpty()) {
      group = groups.poll();
      sources = new ArrayList<>();
      merge = new KeyMerge(group.size(), layout, keyColumns);
    }
    while (sources.size() < group.size() && mayOpenAnother()) {
      sources.add(open(group.get(sources.size())));
    }
    return sources.stream().filter(Source::isHungry).map(MergedRows::fetchNext).toList();
  }

  private static CompletableFuture<Void> fetchNext(Source source) {
    return source.batches.nextBatch().thenAccept(batch -> source.arrived = batch);
  }

  @GuardedBy("this")
  private void takeIn() {
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      FetchedBatch<RowBatch> batch = source.arrived;
      if (batch == null) {
        continue;
      }
      source.arrived = null;
      source.answered = true;
      source.over = !batch.hasMore();
      if (batch.metrics() != null) {
        results.addMetrics(batch.metrics());
      }
      if (snapshot == ScanQuery.NO_TIMESTAMP) {
        snapshot = source.batches.scan().snapshot();
      }
      if (batch.rowCount() > 0) {
        source.hasRows = true;
        merge.offer(i, batch.rows());
      }
    }
  }

  @GuardedBy("this")
  private boolean isGroupRead() {
    return sources.size() == group.size()
        && sources.stream().allMatch(source -> source.over && !source.hasRows);
  }

  /** Opens one tablet at a time until a server has chosen the snapshot. */
  @GuardedBy("this")
  private boolean mayOpenAnother() {
    return snapshot != ScanQuery.NO_TIMESTAMP
        || sources.isEmpty()
        || sources.get(sources.size() - 1).answered;
  }

  private Source open(RemoteTablet tablet) {
    return new Source(scan.batches(scan.query().ofTablet(tablet, snapshot, rowsLeft), decoder));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // responses to a close do not matter
  private synchronized B emit() {
    if (closed || merge == null || merge.isEmpty()) {
      over = true;
      return results.empty();
    }
    KeyMerge.Merged rows = merge.take(rowsLeft);
    rowsLeft -= rowsLeft == Long.MAX_VALUE ? 0 : rows.count();
    if (rows.usedUp() != KeyMerge.NONE) {
      sources.get(rows.usedUp()).hasRows = false;
    }
    if (rowsLeft == 0) {
      closeSources();
    }
    over = rowsLeft == 0 || (isGroupRead() && groups.isEmpty());
    return results.ofMerge(rows);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public synchronized CompletableFuture<Void> close() {
    closed = true;
    return closeSources();
  }

  @GuardedBy("this")
  private CompletableFuture<Void> closeSources() {
    return CompletableFuture.allOf(
        sources.stream().map(source -> source.batches.close()).toArray(CompletableFuture[]::new));
  }

  @Override
  public synchronized CompletableFuture<Void> keepAlive() {
    return CompletableFuture.allOf(
        sources.stream()
            .map(source -> source.batches.scan().keepAlive())
            .toArray(CompletableFuture[]::new));
  }

  @Override
  public long snapshot() {
    return snapshot;
  }

  @Override
  public RemoteTablet currentTablet() {
    return null;
  }

  @Override
  public String serverId() {
    return null;
  }

  @Override
  public String scannerId() {
    return null;
  }
}
