package dev.kudu4j.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.proto.common.ReadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens the tablets of one or more indexes, several at the same time. Used once.
 *
 * <pre>
 *   1. ask all tablets for a snapshot; each waits until it has its own
 *   2. open them at the earliest one, for which none has to wait
 * </pre>
 *
 * <p>A scan of the latest rows needs no common snapshot if updates cannot move rows from one tablet
 * to another: then each server chooses one when it opens its tablet, as servers of the table would
 * do. So does that of the only tablet. Several indexes always have a common snapshot: an update may
 * move a row from one to the other.
 */
final class IndexParts {
  private final List<Reading> readings;
  private final long waitMillis;
  private final boolean sharesSnapshot;
  private volatile PartQueue queue;

  @GuardedBy("this")
  private boolean closed;

  /**
   * How one index is read.
   *
   * @param query of the index's table
   */
  record Reading(
      Cluster cluster,
      IndexSource index,
      ScanQuery query,
      Function<ScanQuery, BatchStream<RowBatch>> opener) {
    private SnapshotProbe probe() {
      return new SnapshotProbe(cluster, index.tablets(), query);
    }

    private Supplier<BatchStream<RowBatch>> opening(ScanQuery part) {
      return () -> opener.apply(part);
    }
  }

  /** A reading and the tablets that can have its rows. */
  private record Found(Reading reading, SnapshotProbe probe, List<RemoteTablet> tablets) {
    /** The parts of a scan that has a snapshot, or needs none. */
    List<Supplier<BatchStream<RowBatch>>> parts(ScanQuery whole) {
      return tablets.stream()
          .map(tablet -> reading.opening(whole.ofTablet(tablet, whole.snapshot(), whole.limit())))
          .toList();
    }
  }

  /**
   * @param instead the scan of the indexed table
   */
  IndexParts(List<Reading> readings, ScanQuery instead) {
    this.readings = List.copyOf(readings);
    this.waitMillis = IndexedScan.waitMillis(instead.timeoutMillis());
    this.sharesSnapshot =
        readings.size() > 1
            || instead.readMode() != ReadMode.READ_LATEST
            || !readings.get(0).index().keepsRowsInPlace(instead.table());
  }

  /**
   * Opens the tablets, and completes when those that are read first have answered. The limit of a
   * query is one of each tablet.
   *
   * @return fails with {@link UnusableIndexException} if a tablet cannot be read, or not in time
   */
  CompletableFuture<PartQueue> open() {
    return inTime(find().thenCompose(this::parts).thenCompose(this::open));
  }

  /**
   * Like {@link #open}, but one tablet after the other, until the limit of the query is reached.
   */
  CompletableFuture<PartQueue> openInTurn() {
    Reading only = readings.get(0);
    return inTime(open(List.of(only.opening(only.query()))));
  }

  private CompletableFuture<PartQueue> inTime(CompletableFuture<PartQueue> opening) {
    return opening.orTimeout(waitMillis, TimeUnit.MILLISECONDS).exceptionallyCompose(this::failed);
  }

  private CompletableFuture<List<Found>> find() {
    List<CompletableFuture<Found>> all =
        readings.stream()
            .map(
                reading -> {
                  SnapshotProbe probe = reading.probe();
                  return probe
                      .findTablets()
                      .thenApply(tablets -> new Found(reading, probe, tablets));
                })
            .toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<List<Supplier<BatchStream<RowBatch>>>> parts(List<Found> found) {
    Found first = found.get(0);
    ScanQuery query = first.reading().query();
    if (found.size() == 1 && first.tablets().size() <= 1) {
      return CompletableFuture.completedFuture(List.of(first.reading().opening(query)));
    }
    if (!sharesSnapshot || query.snapshot() != ScanQuery.NO_TIMESTAMP) {
      return CompletableFuture.completedFuture(
          all(found, found.stream().map(one -> one.reading().query()).toList()));
    }
    return snapshot(found)
        .thenApply(
            chosen ->
                all(found, found.stream().map(one -> one.reading().query().at(chosen)).toList()));
  }

  private static List<Supplier<BatchStream<RowBatch>>> all(
      List<Found> found, List<ScanQuery> queries) {
    List<Supplier<BatchStream<RowBatch>>> parts = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      parts.addAll(found.get(i).parts(queries.get(i)));
    }
    return parts;
  }

  /** The earliest of the snapshots that the tablets choose. */
  private static CompletableFuture<Long> snapshot(List<Found> found) {
    return SnapshotProbe.earliest(
        found.stream()
            .filter(one -> !one.tablets().isEmpty())
            .map(one -> one.probe().snapshot(one.tablets()))
            .toList());
  }

  /** Whether all tablets are read at one snapshot. */
  boolean sharesSnapshot() {
    return sharesSnapshot;
  }

  private CompletableFuture<PartQueue> open(List<Supplier<BatchStream<RowBatch>>> parts) {
    PartQueue opening = new PartQueue(parts, readings.get(0).query().batchBytes());
    synchronized (this) {
      if (closed) {
        opening.close();
      }
      queue = opening;
    }
    return opening.openFirst().thenApply(opened -> opening);
  }

  /** If only the transfer of rows takes long, the index is read all the same. */
  private CompletableFuture<PartQueue> failed(Throwable failure) {
    PartQueue opened = queue;
    if (opened != null && opened.isAnswering()) {
      return CompletableFuture.completedFuture(opened);
    }
    return close()
        .handle(
            (ended, ignored) -> {
              throw new UnusableIndexException("A tablet of the index cannot be read", failure);
            });
  }

  /** Ends what has been opened, and what will be. */
  CompletableFuture<Void> close() {
    PartQueue opened;
    synchronized (this) {
      closed = true;
      opened = queue;
    }
    return opened == null ? CompletableFuture.completedFuture(null) : opened.close();
  }

  /** Keeps alive what has been opened. */
  CompletableFuture<Void> keepAlive() {
    PartQueue opened = queue;
    return opened == null ? CompletableFuture.completedFuture(null) : opened.keepAlive();
  }
}
