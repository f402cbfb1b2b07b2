package dev.kudu4j.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.client.row.RowPartitionKeys;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.row.ArrayCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The rows whose keys a global index has found, looked up in the table. A scan of the latest rows
 * may look them up later than it has read the index: all filters are tested again. Others read both
 * at one snapshot. Fails with {@link UnusableIndexException} if the index finds too many keys,
 * cannot be read, or takes too long; no row was returned before.
 *
 * <pre>
 *   index: keys of the rows that may match -> by tablet -> table: these rows, all filters tested
 * </pre>
 */
public final class LookBackRows<B> implements RowStream<B> {
  /** With more keys, the table is read. */
  public static final int MAX_KEYS = 1_000;

  /** A key that was found. */
  private record Key(byte[] encoded, byte[] partition) {}

  private final PreparedScan table;
  private final KeySearch search;
  private final ResultFactory<B> results;
  private final RowBatchDecoder decoder;
  private final CellLayout keyLayout;
  private final IndexParts index;
  private final RowPartitionKeys partitionKeys;
  private final List<Key> keys = new ArrayList<>();
  private final KeyBuffer buffer = new KeyBuffer();

  private volatile long snapshot = ScanQuery.NO_TIMESTAMP;
  private volatile PartQueue rows; // null until the keys are known
  private volatile boolean over;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param table the scan of the table
   */
  LookBackRows(
      PreparedScan table, KeySearch search, RowBatchDecoder decoder, ResultFactory<B> results) {
    this.table = table;
    this.search = search;
    this.decoder = decoder;
    this.results = results;
    this.keyLayout = new CellLayout(search.query().projection());
    this.index =
        new IndexParts(
            List.of(
                new IndexParts.Reading(
                    table.cluster(), search.index(), search.query(), this::openPartOfIndex)),
            table.query());
    this.partitionKeys = new RowPartitionKeys(table.query().partitions(), table.query().table());
  }

  private BatchStream<RowBatch> openPartOfIndex(ScanQuery part) {
    RowBatchDecoder ofKeys = RowBatchDecoder.columnar(keyLayout);
    return table.stream(
        new TableScan<>(table.cluster(), search.index().tablets(), part, ofKeys, null)
            .insteadOfTable(),
        ofKeys);
  }

  @Override
  public CompletableFuture<B> nextRows() {
    return rows == null ? findKeys().thenCompose(found -> fetch()) : fetch();
  }

  // ---------------------------------------------------------------- the keys

  private CompletableFuture<Void> findKeys() {
    keys.clear(); // if an earlier attempt has failed
    return index
        .open()
        .thenCompose(this::collect)
        .orTimeout(IndexedScan.waitMillis(table.query().timeoutMillis()), TimeUnit.MILLISECONDS)
        .handle(this::unlessUnusable)
        .thenCompose(
            found -> {
              keys.sort((one, other) -> Arrays.compareUnsigned(one.partition(), other.partition()));
              return cut(0, new ArrayList<>());
            })
        .thenAccept(this::lookUp);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private Void unlessUnusable(Boolean found, Throwable failure) {
    if (failure == null && found) {
      return null;
    }
    index.close();
    if (failure != null) {
      search.fail();
    }
    throw new UnusableIndexException("The index does not find the keys", failure);
  }

  /** Reads the index. Returns false if it has too many keys. */
  private CompletableFuture<Boolean> collect(PartQueue parts) {
    return parts
        .next()
        .thenCompose(
            batch -> {
              if (batch.rows() != null) {
                add(batch.rows());
              }
              if (index.sharesSnapshot()) {
                snapshot = parts.snapshot(snapshot);
              }
              if (keys.size() > MAX_KEYS || parts.isOver()) {
                return CompletableFuture.completedFuture(keys.size() <= MAX_KEYS);
              }
              return collect(parts);
            });
  }

  private void add(RowBatch batch) {
    int columns = keyLayout.columnCount();
    for (int row = 0; row < batch.count(); row++) {
      buffer.clear();
      for (int column = 0; column < columns; column++) {
        batch.appendKeyCell(keyLayout, column, row, column == columns - 1, buffer);
      }
      byte[] encoded = buffer.toByteArray();
      byte[][] cells = KeyDecoder.decode(table.query().table(), encoded);
      keys.add(new Key(encoded, partitionKeys.encode(new ArrayCells(cells))));
    }
  }

  /** Makes a piece of the keys of each tablet, from one on. */
  private CompletableFuture<List<ScanQuery>> cut(int first, List<ScanQuery> pieces) {
    if (first == keys.size()) {
      return CompletableFuture.completedFuture(pieces);
    }
    return table
        .tablets()
        .at(keys.get(first).partition(), Deadline.after(table.query().timeoutMillis()))
        .thenCompose(cover -> cut(addPiece(first, cover, pieces), pieces));
  }

  private int addPiece(int first, Cover cover, List<ScanQuery> pieces) {
    int end = first;
    while (end < keys.size()
        && (cover.end().length == 0
            || Arrays.compareUnsigned(keys.get(end).partition(), cover.end()) < 0)) {
      end++;
    }
    byte[] highest = keys.get(end - 1).partition();
    KeyInterval partitions =
        new KeyInterval(
            keys.get(first).partition(), Arrays.copyOf(highest, highest.length + 1)); // successor
    List<byte[]> encoded =
        keys.subList(first, end).stream()
            .map(Key::encoded)
            .sorted(Arrays::compareUnsigned)
            .toList();
    if (!cover.isGap()) {
      ScanQuery piece = table.query().ofKeys(encoded, partitions);
      pieces.add(index.sharesSnapshot() ? piece.at(snapshot) : piece);
    }
    return end;
  }

  // ---------------------------------------------------------------- the rows

  private synchronized void lookUp(List<ScanQuery> pieces) {
    rows = new PartQueue(pieces.stream().map(this::opening).toList(), table.query().batchBytes());
    if (closed) {
      rows.close();
    }
  }

  private Supplier<BatchStream<RowBatch>> opening(ScanQuery piece) {
    return () -> table.stream(table.scan(piece, decoder).neverTwice(), decoder);
  }

  private CompletableFuture<B> fetch() {
    return rows.next().thenApply(this::accept);
  }

  private B accept(FetchedBatch<RowBatch> batch) {
    if (batch.metrics() != null) {
      results.addMetrics(batch.metrics());
    }
    over = rows.isOver();
    return batch.rows() == null ? results.empty() : results.ofTablet(batch);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public synchronized CompletableFuture<Void> close() {
    closed = true;
    PartQueue open = rows;
    return open == null ? index.close() : open.close();
  }

  @Override
  public CompletableFuture<Void> keepAlive() {
    PartQueue open = rows;
    return open == null ? index.keepAlive() : open.keepAlive();
  }

  @Override
  public long snapshot() {
    return snapshot;
  }

  @Override
  public RemoteTablet currentTablet() {
    PartQueue open = rows;
    return open == null ? null : open.currentTablet();
  }

  @Override
  public String serverId() {
    PartQueue open = rows;
    return open == null ? null : open.serverId();
  }

  @Override
  public String scannerId() {
    PartQueue open = rows;
    return open == null ? null : open.scannerId();
  }
}
