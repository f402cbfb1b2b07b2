package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.RowBatchDecoder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The rows of a scan from an index, or from the table if the index fails with {@link
 * UnusableIndexException}, which it does before the first row only.
 */
public final class RowsOrTable<B> implements RowStream<B> {
  private final Supplier<RowStream<B>> table;
  private volatile RowStream<B> rows; // of the index, then perhaps of the table
  private volatile boolean closed;

  private RowsOrTable(RowStream<B> index, Supplier<RowStream<B>> table) {
    this.rows = index;
    this.table = table;
  }

  /**
   * The rows of an index that has all columns, or of several, which have different rows.
   *
   * @param scans of the indexes' tables
   */
  public static <B> RowStream<B> ofIndexes(
      List<PreparedScan> scans, RowBatchDecoder decoder, ResultFactory<B> results) {
    return new RowsOrTable<>(
        new IndexRows<>(scans, decoder, results),
        () -> new TabletRows<>(scans.get(0).ofTable(), decoder, results));
  }

  /**
   * The rows whose keys an index finds.
   *
   * @param scan of the table
   */
  public static <B> RowStream<B> ofKeys(
      PreparedScan scan, KeySearch search, RowBatchDecoder decoder, ResultFactory<B> results) {
    return new RowsOrTable<>(
        new LookBackRows<>(scan, search, decoder, results),
        () -> new TabletRows<>(scan, decoder, results));
  }

  @Override
  public CompletableFuture<B> nextRows() {
    RowStream<B> read = rows;
    return read.nextRows()
        .handle(
            (batch, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(batch);
              }
              return Failures.unwrap(failure) instanceof UnusableIndexException && !closed
                  ? readTable(read)
                  : CompletableFuture.<B>failedFuture(failure);
            })
        .thenCompose(step -> step);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private CompletableFuture<B> readTable(RowStream<B> index) {
    index.close();
    RowStream<B> ofTable = table.get();
    rows = ofTable;
    CompletableFuture<B> first = ofTable.nextRows();
    if (closed) { // meanwhile
      ofTable.close();
    }
    return first;
  }

  @Override
  public boolean isOver() {
    return rows.isOver();
  }

  @Override
  public CompletableFuture<Void> close() {
    closed = true;
    return rows.close();
  }

  @Override
  public CompletableFuture<Void> keepAlive() {
    return rows.keepAlive();
  }

  @Override
  public long snapshot() {
    return rows.snapshot();
  }

  @Override
  public RemoteTablet currentTablet() {
    return rows.currentTablet();
  }

  @Override
  public String serverId() {
    return rows.serverId();
  }

  @Override
  public String scannerId() {
    return rows.scannerId();
  }
}
