package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds rows by their primary key on servers that know no request for given keys: Apache Kudu's.
 *
 * <p>A lookup is a scan between a key and the next one, so a server seeks to the row and reads no
 * other; the answer to the opening has all. A list of keys as a predicate would make them read all
 * that lies between: so many keys are many small requests, sent without waiting for one another.
 */
final class SingleLookups {
  /**
   * Of one call; the next key is asked for when an answer comes. No more than fit into the queue of
   * one of Apache Kudu's servers, 50 by default: what does not fit is refused, and costs a retry.
   */
  private static final int MOST_IN_FLIGHT = 48;

  private final KuduTable table;
  private final List<ColumnSchema> keyColumns;

  SingleLookups(KuduTable table) {
    this.table = table;
    this.keyColumns = table.getSchema().getPrimaryKeyColumns();
  }

  /** The row of a key, if there is one. */
  private CompletableFuture<Optional<RowResult>> get(PartialRow key, byte[] encoded) {
    AsyncKuduScanner.AsyncKuduScannerBuilder scan =
        table
            .getAsyncClient()
            .newScannerBuilder(table)
            .readMode(ReadMode.READ_YOUR_WRITES)
            .lowerBoundRaw(encoded)
            .limit(1);
    byte[] next = next(encoded);
    if (next.length > 0) {
      scan.exclusiveUpperBoundRaw(next);
    }
    for (int i = 0; i < keyColumns.size(); i++) { // they tell the hash bucket
      scan.addPredicate(
          KuduPredicate.newComparisonPredicate(
              keyColumns.get(i), ComparisonOp.EQUAL, key.getObject(i)));
    }
    AsyncKuduScanner scanner = scan.build();
    scanner.setRowDataFormat(RowDataFormat.ROWWISE); // columns do not pay for one row
    return firstRow(scanner);
  }

  private static CompletableFuture<Optional<RowResult>> firstRow(AsyncKuduScanner scanner) {
    if (!scanner.hasMoreRows()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return scanner
        .nextRows()
        .thenCompose(
            rows ->
                rows.hasNext()
                    ? scanner.close().thenApply(nothing -> Optional.of(rows.next()))
                    : firstRow(scanner));
  }

  /**
   * The next value of the last column behind the same others; empty when it is the greatest one: a
   * carry into a text before it would make no key.
   */
  private byte[] next(byte[] key) {
    ColumnSchema last = keyColumns.get(keyColumns.size() - 1);
    if (!last.getType().isFixedSize()) {
      return Arrays.copyOf(key, key.length + 1); // text at the end has no terminator
    }
    byte[] next = key.clone();
    for (int i = next.length - 1; i >= next.length - last.getTypeSize(); i--) {
      if (++next[i] != 0) {
        return next;
      }
    }
    return new byte[0];
  }

  /**
   * The rows of many keys, in their order.
   *
   * @param encoded the same keys
   */
  CompletableFuture<List<Optional<RowResult>>> getAll(List<PartialRow> keys, List<byte[]> encoded) {
    Many many = new Many(keys, encoded);
    for (int i = 0; i < Math.min(MOST_IN_FLIGHT, keys.size()); i++) {
      many.goOn();
    }
    return many.all;
  }

  /** The lookups of one call. */
  private final class Many {
    private final List<PartialRow> keys;
    private final List<byte[]> encoded;
    private final List<Optional<RowResult>> rows;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger missing;
    private final CompletableFuture<List<Optional<RowResult>>> all = new CompletableFuture<>();

    Many(List<PartialRow> keys, List<byte[]> encoded) {
      this.keys = keys;
      this.encoded = encoded;
      this.rows = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
      this.missing = new AtomicInteger(keys.size());
      if (keys.isEmpty()) {
        all.complete(rows);
      }
    }

    /** Asks for the next key, and for those after it as answers come. */
    void goOn() {
      int index = next.getAndIncrement();
      while (index < keys.size() && !all.isDone()) {
        CompletableFuture<Optional<RowResult>> lookup = lookup(index);
        if (!lookup.isDone()) {
          int asked = index;
          lookup.whenComplete(
              (row, failure) -> {
                accept(asked, row, failure);
                goOn();
              });
          return;
        }
        int known = index;
        lookup.whenComplete((row, failure) -> accept(known, row, failure));
        index = next.getAndIncrement();
      }
    }

    private CompletableFuture<Optional<RowResult>> lookup(int index) {
      try {
        return get(keys.get(index), encoded.get(index));
      } catch (RuntimeException e) { // or nobody would be told
        return CompletableFuture.failedFuture(e);
      }
    }

    private void accept(int index, Optional<RowResult> row, Throwable failure) {
      if (failure != null) {
        all.completeExceptionally(KuduException.unwrap(failure));
        return;
      }
      rows.set(index, row); // each index once; the counter publishes it
      if (missing.decrementAndGet() == 0) {
        all.complete(rows);
      }
    }
  }
}
