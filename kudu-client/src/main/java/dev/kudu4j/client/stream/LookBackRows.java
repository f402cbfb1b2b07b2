package dev.kudu4j.client.stream;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The rows whose keys a global index has found, looked up in the table at the snapshot of the
 * index. If the index finds too many keys, cannot be read, or takes a second, the whole table is
 * read instead; no row was returned before.
 *
 * <pre>
 *   index: keys of the rows that may match -> by tablet -> table: these rows, all filters tested
 * </pre>
 */
public final class LookBackRows<B> implements RowStream<B> {
  /** With more keys, the table is read. */
  public static final int MAX_KEYS = 1_000;

  /** How long the index may take. */
  public static final long INDEX_WAIT_MILLIS = 1_000;

  /** A key that was found. */
  private record Key(byte[] encoded, byte[] partition) {}

  private final PreparedScan table;
  private final KeySearch search;
  private final RowBatchDecoder decoder;
  private final ResultFactory<B> results;
  private final CellLayout keyLayout;
  private final TableScan<RowBatch> keyScan;
  private final RowPartitionKeys partitionKeys;
  private final List<Key> keys = new ArrayList<>();
  private final KeyBuffer buffer = new KeyBuffer();
  private final Deque<ScanQuery> pieces = new ArrayDeque<>();

  private boolean collected;
  private volatile TableScan<RowBatch> piece; // null between pieces
  private volatile RowStream<B> whole; // if the table is read instead
  private volatile boolean over;

  /**
   * @param table the scan of the table
   */
  public LookBackRows(
      PreparedScan table, KeySearch search, RowBatchDecoder decoder, ResultFactory<B> results) {
    this.table = table;
    this.search = search;
    this.decoder = decoder;
    this.results = results;
    this.keyLayout = new CellLayout(search.query().projection());
    this.keyScan =
        new TableScan<RowBatch>(
                table.cluster(),
                search.index().tablets(),
                search.query(),
                RowBatchDecoder.columnar(keyLayout),
                null)
            .insteadOfTable();
    this.partitionKeys = new RowPartitionKeys(table.query().partitions(), table.query().table());
  }

  @Override
  public CompletableFuture<B> nextRows() {
    if (whole != null) {
      return whole.nextRows();
    }
    if (collected) {
      return fetch();
    }
    collected = true;
    return collect()
        .orTimeout(INDEX_WAIT_MILLIS, TimeUnit.MILLISECONDS)
        .handle(
            (found, failure) -> {
              if (failure != null) {
                search.fail();
              }
              if (failure != null || !found) {
                return readWhole();
              }
              return cut(0).thenCompose(done -> fetch());
            })
        .thenCompose(step -> step);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private CompletableFuture<B> readWhole() {
    keyScan.close();
    whole = new TabletRows<>(table, decoder, results);
    return whole.nextRows();
  }

  // ---------------------------------------------------------------- the keys

  /** Reads the index. Returns false if it has too many keys. */
  private CompletableFuture<Boolean> collect() {
    return keyScan
        .next()
        .thenCompose(
            batch -> {
              if (batch.rows() != null) {
                add(batch.rows());
              }
              if (keys.size() > MAX_KEYS || !batch.hasMore()) {
                return CompletableFuture.completedFuture(keys.size() <= MAX_KEYS);
              }
              return collect();
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

  /** Makes a piece of the keys of each tablet. */
  private CompletableFuture<Void> cut(int first) {
    if (first == 0) {
      keys.sort((one, other) -> Arrays.compareUnsigned(one.partition(), other.partition()));
    }
    if (first == keys.size()) {
      return CompletableFuture.completedFuture(null);
    }
    return table
        .tablets()
        .at(keys.get(first).partition(), Deadline.after(table.query().timeoutMillis()))
        .thenCompose(cover -> cut(addPiece(first, cover)));
  }

  private int addPiece(int first, Cover cover) {
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
      pieces.add(table.query().ofKeys(encoded, partitions).at(keyScan.snapshot()));
    }
    return end;
  }

  // ---------------------------------------------------------------- the rows

  private CompletableFuture<B> fetch() {
    if (piece == null) {
      ScanQuery next = pieces.poll();
      if (next == null) {
        over = true;
        return CompletableFuture.completedFuture(results.empty());
      }
      piece = table.scan(next, decoder).neverTwice();
    }
    return piece.next().thenApply(this::accept);
  }

  private B accept(FetchedBatch<RowBatch> batch) {
    if (batch.metrics() != null) {
      results.addMetrics(batch.metrics());
    }
    if (!batch.hasMore()) {
      piece = null;
      over = pieces.isEmpty();
    }
    return batch.rows() == null ? results.empty() : results.ofTablet(batch);
  }

  @Override
  public boolean isOver() {
    return whole == null ? over : whole.isOver();
  }

  @Override
  public CompletableFuture<Void> close() {
    TableScan<RowBatch> open = piece;
    if (whole != null) {
      return whole.close();
    }
    return open == null ? keyScan.close() : open.close();
  }

  @Override
  public CompletableFuture<Void> keepAlive() {
    TableScan<RowBatch> open = piece;
    if (whole != null) {
      return whole.keepAlive();
    }
    return open == null ? keyScan.keepAlive() : open.keepAlive();
  }

  @Override
  public long snapshot() {
    return whole == null ? keyScan.snapshot() : whole.snapshot();
  }

  @Override
  public RemoteTablet currentTablet() {
    TableScan<RowBatch> open = piece;
    if (whole != null) {
      return whole.currentTablet();
    }
    return open == null ? null : open.tablet();
  }

  @Override
  public String serverId() {
    TableScan<RowBatch> open = piece;
    if (whole != null) {
      return whole.serverId();
    }
    return open == null ? null : open.serverId();
  }

  @Override
  public String scannerId() {
    TableScan<RowBatch> open = piece;
    if (whole != null) {
      return whole.scannerId();
    }
    return open == null ? null : open.scannerId();
  }
}
