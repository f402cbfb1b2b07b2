package dev.kudu4j.client.lookup;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds rows by primary key on servers that do not support scans of given keys: Apache Kudu's.
 *
 * <p>A lookup is a scan from a key to its successor, so a server seeks to the row and reads no
 * other row; the response to the request that opens the scanner contains the row. With a list of
 * keys as a predicate, servers would read all rows between the least and the greatest key.
 * Therefore each key takes a small request of its own, and the requests run concurrently.
 */
final class SingleLookups<R> {
  /**
   * Maximum number of requests in flight of one {@link #getAll}; the next key is requested when a
   * response arrives. They fit into the request queue of one of Apache Kudu's servers, which has 50
   * places by default: a request that does not fit is rejected and costs a retry.
   */
  private static final int MAX_IN_FLIGHT = 48;

  private final PreparedScan scan;
  private final RowFactory<R> factory;
  private final RowBatchDecoder decoder;
  private final Schema table;

  SingleLookups(PreparedScan scan, CellLayout layout, RowFactory<R> factory) {
    this.scan = scan;
    this.factory = factory;
    this.decoder = RowBatchDecoder.rowwise(layout); // columnar does not pay off for one row
    this.table = scan.query().table();
  }

  /** Looks up the row of a key. */
  private CompletableFuture<Optional<R>> get(LookupKey key) {
    byte[] next = next(key.encoded());
    return firstRow(
        scan.scan(
            scan.query()
                .ofKey(key.encoded(), next.length == 0 ? null : next, equalities(key.cells())),
            decoder));
  }

  /** The key as predicates, which determine the hash bucket. */
  private List<ColumnPredicate> equalities(RowCells key) {
    List<ColumnPredicate> equalities = new ArrayList<>();
    for (int column = 0; column < table.keyColumnCount(); column++) {
      int offset = key.cellOffset(column);
      byte[] cell =
          Arrays.copyOfRange(key.cellArray(column), offset, offset + key.cellLength(column));
      equalities.add(new ColumnPredicate.Equality(table.column(column), cell));
    }
    return equalities;
  }

  private CompletableFuture<Optional<R>> firstRow(TableScan<RowBatch> batches) {
    return batches
        .next()
        .thenCompose(
            batch -> {
              if (batch.rowCount() > 0) {
                R row = factory.row(batch.rows(), 0);
                return batches.close().thenApply(closed -> Optional.of(row));
              }
              return batch.hasMore()
                  ? firstRow(batches)
                  : CompletableFuture.completedFuture(Optional.empty());
            });
  }

  /**
   * The successor of a key: the next value of the last column, with the other columns unchanged.
   * Empty if the last column has its greatest value: a carry into a preceding text column would not
   * yield a key.
   */
  private byte[] next(byte[] key) {
    ColumnSchema last = table.column(table.keyColumnCount() - 1);
    if (last.type().isVariableLength()) {
      return Arrays.copyOf(key, key.length + 1); // text at the end has no terminator
    }
    byte[] next = key.clone();
    for (int i = next.length - 1; i >= next.length - last.type().width(); i--) {
      if (++next[i] != 0) {
        return next;
      }
    }
    return new byte[0];
  }

  /** Looks up the rows of many keys; returns them in the order of the keys. */
  CompletableFuture<List<Optional<R>>> getAll(List<LookupKey> keys) {
    Many many = new Many(keys);
    for (int i = 0; i < Math.min(MAX_IN_FLIGHT, keys.size()); i++) {
      many.goOn();
    }
    return many.all;
  }

  /** The lookups of one call. */
  private final class Many {
    private final List<LookupKey> keys;
    private final List<Optional<R>> rows;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger missing;
    private final CompletableFuture<List<Optional<R>>> all = new CompletableFuture<>();

    Many(List<LookupKey> keys) {
      this.keys = keys;
      this.rows = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
      this.missing = new AtomicInteger(keys.size());
      if (keys.isEmpty()) {
        all.complete(rows);
      }
    }

    /** Requests the next key, and further ones as responses arrive. */
    void goOn() {
      int index = next.getAndIncrement();
      while (index < keys.size() && !all.isDone()) {
        CompletableFuture<Optional<R>> lookup = lookup(index);
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

    private CompletableFuture<Optional<R>> lookup(int index) {
      try {
        return get(keys.get(index));
      } catch (RuntimeException e) { // otherwise the lookup never completes
        return CompletableFuture.failedFuture(e);
      }
    }

    private void accept(int index, Optional<R> row, Throwable failure) {
      if (failure != null) {
        all.completeExceptionally(Failures.unwrap(failure));
        return;
      }
      rows.set(index, row); // one writer per index; the counter publishes the row
      if (missing.decrementAndGet() == 0) {
        all.complete(rows);
      }
    }
  }
}
