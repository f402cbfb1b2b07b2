package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the tablets of an index that a scan will read, all at the same time, whether they have its
 * snapshot. They wait for a short time until they have it. No rows are read.
 */
public final class SnapshotProbe {
  private final Cluster cluster;
  private final TableTablets tablets;
  private final ScanQuery query;

  /**
   * @param query of the index's table
   */
  SnapshotProbe(Cluster cluster, TableTablets tablets, ScanQuery query) {
    this.cluster = cluster;
    this.tablets = tablets;
    this.query = query.ofSnapshot(Math.min(IndexedScan.WAIT_MILLIS, query.timeoutMillis()));
  }

  /**
   * A scan whose tablets cannot be exchanged for those of the table once it has begun: at its
   * snapshot, if it reads an index and all tablets have that; of the table if they do not. Never
   * fails.
   */
  public static CompletableFuture<PreparedScan> indexOrTable(PreparedScan scan) {
    if (!scan.isOfIndexOrTable()) {
      return CompletableFuture.completedFuture(scan);
    }
    return new SnapshotProbe(scan.cluster(), scan.tablets(), scan.query())
        .snapshot()
        .handle(
            (snapshot, failure) -> {
              if (failure == null && snapshot != ScanQuery.NO_TIMESTAMP) {
                return scan.at(snapshot);
              }
              if (failure != null) {
                scan.instead().fail();
              }
              return scan.ofTable();
            });
  }

  /** The earliest of some snapshots; {@link ScanQuery#NO_TIMESTAMP} if there are none. */
  static CompletableFuture<Long> earliest(List<CompletableFuture<Long>> snapshots) {
    return CompletableFuture.allOf(snapshots.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                snapshots.stream()
                    .mapToLong(CompletableFuture::join)
                    .min()
                    .orElse(ScanQuery.NO_TIMESTAMP));
  }

  /** The tablets of the index that can have rows of the scan. */
  CompletableFuture<List<RemoteTablet>> findTablets() {
    return new ScanSplitter(cluster, tablets, query, Deadline.after(query.timeoutMillis()))
        .tablets();
  }

  /**
   * The snapshot of the scan. If it has none, each tablet chooses a current one, which includes all
   * writes of this client, and the earliest of these is taken: all tablets have it then. {@link
   * ScanQuery#NO_TIMESTAMP} if there are no tablets. Fails if a tablet does not have it.
   */
  CompletableFuture<Long> snapshot() {
    return findTablets().thenCompose(this::snapshot);
  }

  /** Like {@link #snapshot()}, for tablets that were found before. */
  CompletableFuture<Long> snapshot(List<RemoteTablet> found) {
    return earliest(found.stream().map(this::snapshot).toList());
  }

  private CompletableFuture<Long> snapshot(RemoteTablet tablet) {
    ScanQuery part = query.ofTablet(tablet, query.snapshot(), query.limit());
    return ask(
        new TableScan<>(
                cluster,
                tablets,
                part,
                RowBatchDecoder.columnar(new CellLayout(part.projection())),
                null)
            .insteadOfTable());
  }

  /** There may be several tablets now where there was one. */
  private static CompletableFuture<Long> ask(TableScan<RowBatch> asking) {
    return asking
        .next()
        .thenCompose(
            answer ->
                answer.hasMore()
                    ? ask(asking)
                    : CompletableFuture.completedFuture(asking.snapshot()));
  }
}
