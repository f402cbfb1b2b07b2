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
 * Finds rows by their primary key on servers that know no request for given keys: Apache Kudu's.
 *
 * <p>A lookup is a scan between a key and the next one, so a server seeks to the row and reads no
 * other; the answer to the opening has all. A list of keys as a predicate would make them read all
 * that lies between: so many keys are many small requests, sent without waiting for one another.
 */
final class SingleLookups<R> {
  /**
   * Of one call; the next key is asked for when an answer comes. No more than fit into the queue of
   * one of Apache Kudu's servers, 50 by default: what does not fit is refused, and costs a retry.
   */
  private static final int MOST_IN_FLIGHT = 48;

  private final PreparedScan scan;
  private final RowFactory<R> factory;
  private final RowBatchDecoder decoder;
  private final Schema table;

  SingleLookups(PreparedScan scan, CellLayout layout, RowFactory<R> factory) {
    this.scan = scan;
    this.factory = factory;
    this.decoder = RowBatchDecoder.rowwise(layout); // columns do not pay for one row
    this.table = scan.query().table();
  }

  /** The row of a key, if there is one. */
  private CompletableFuture<Optional<R>> get(LookupKey key) {
    byte[] next = next(key.encoded());
    return firstRow(
        scan.scan(
            scan.query()
                .ofKey(key.encoded(), next.length == 0 ? null : next, equalities(key.cells())),
            decoder));
  }

  /** They give the hash bucket. */
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
   * The next value of the last column behind the same others; empty when it is the greatest one: a
   * carry into a text before it would make no key.
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

  /** The rows of many keys, in the order of the keys. */
  CompletableFuture<List<Optional<R>>> getAll(List<LookupKey> keys) {
    Many many = new Many(keys);
    for (int i = 0; i < Math.min(MOST_IN_FLIGHT, keys.size()); i++) {
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

    /** Asks for the next key, and for those after it as answers come. */
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
      } catch (RuntimeException e) { // or nobody would be told
        return CompletableFuture.failedFuture(e);
      }
    }

    private void accept(int index, Optional<R> row, Throwable failure) {
      if (failure != null) {
        all.completeExceptionally(Failures.unwrap(failure));
        return;
      }
      rows.set(index, row); // each index once; the counter publishes it
      if (missing.decrementAndGet() == 0) {
        all.complete(rows);
      }
    }
  }
}
