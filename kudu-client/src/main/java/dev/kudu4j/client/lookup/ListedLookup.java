package dev.kudu4j.client.lookup;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.client.row.RowPartitionKeys;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.key.KeyBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks up a list of keys with scans, each of up to {@link #MAX_KEYS_OF_A_REQUEST} keys of one
 * tablet. Up to {@link #MAX_IN_FLIGHT} requests are in flight; the next one starts when one
 * completes. An object serves one lookup.
 *
 * <pre>
 *   wanted keys --> sorted by partition key, split by tablet --> sorted by primary key, distinct
 *        ^                                                               |  scan of given keys
 *        +---- each returned row is assigned to the wanted keys ---------+
 * </pre>
 */
final class ListedLookup<R> {
  private static final int MAX_KEYS_OF_A_REQUEST = 1_000;
  private static final int MAX_IN_FLIGHT = 16;

  private final PreparedScan scan;
  private final CellLayout layout;
  private final RowFactory<R> factory;
  private final int keyColumnCount;
  private final List<LookupKey> keys;
  private final byte[][] partitionKeys;
  private final Integer[] order; // indexes of the keys, sorted by partition key
  private final List<Optional<R>> rows;
  private final List<Request> requests = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger missing = new AtomicInteger();
  private final CompletableFuture<List<Optional<R>>> all = new CompletableFuture<>();

  ListedLookup(PreparedScan scan, CellLayout layout, RowFactory<R> factory, List<LookupKey> keys) {
    this.scan = scan;
    this.layout = layout;
    this.factory = factory;
    this.keyColumnCount = scan.query().table().keyColumnCount();
    this.keys = keys;
    this.rows = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
    this.partitionKeys = new byte[keys.size()][];
    RowPartitionKeys encoder =
        new RowPartitionKeys(scan.query().partitions(), scan.query().table());
    Arrays.setAll(partitionKeys, i -> encoder.encode(keys.get(i).cells()));
    this.order = new Integer[keys.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(i -> partitionKeys[i], Arrays::compareUnsigned));
  }

  /** Returns the rows in the order of the keys; fails if any request fails. */
  CompletableFuture<List<Optional<R>>> run() {
    cut(0, Deadline.after(scan.query().timeoutMillis()))
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                all.completeExceptionally(failure);
              } else {
                begin();
              }
            });
    return all;
  }

  /** Splits the keys, from {@code first} in {@link #order} on, into requests. */
  private CompletableFuture<Void> cut(int first, Deadline deadline) {
    int from = first;
    while (from < order.length) {
      CompletableFuture<Cover> cover = scan.tablets().at(partitionKeys[order[from]], deadline);
      if (!cover.isDone() || cover.isCompletedExceptionally()) {
        int here = from;
        return cover.thenCompose(found -> cut(add(here, found), deadline));
      }
      from = add(from, cover.join());
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Adds a request for the keys that {@code cover} contains, from {@code from} on, up to the
   * maximum of one request. Skips these keys if the cover is a gap.
   *
   * @return the index in {@link #order} of the first key after these keys
   */
  private int add(int from, Cover cover) {
    int to = from;
    while (to < order.length
        && to - from < MAX_KEYS_OF_A_REQUEST
        && (cover.end().length == 0
            || Arrays.compareUnsigned(partitionKeys[order[to]], cover.end()) < 0)) {
      to++;
    }
    if (!cover.isGap()) {
      requests.add(new Request(from, to));
    }
    return to;
  }

  private byte[] encoded(int index) {
    return keys.get(index).encoded();
  }

  private void begin() {
    missing.set(requests.size());
    if (requests.isEmpty()) {
      all.complete(rows);
    }
    for (int i = 0; i < Math.min(MAX_IN_FLIGHT, requests.size()); i++) {
      goOn();
    }
  }

  private void goOn() {
    int index = next.getAndIncrement();
    if (index >= requests.size() || all.isDone()) {
      return;
    }
    Request request = requests.get(index);
    read(request)
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                all.completeExceptionally(failure);
              } else if (missing.decrementAndGet() == 0) {
                all.complete(rows);
              } else {
                goOn();
              }
            });
  }

  private CompletableFuture<Void> read(Request request) {
    try {
      return request.read();
    } catch (RuntimeException e) { // otherwise the lookup never completes
      return CompletableFuture.failedFuture(e);
    }
  }

  /** One scan of given keys. A scan that returns many rows takes several calls. */
  private final class Request {
    private final Integer[] wanted; // indexes of keys, sorted by primary key
    private final TableScan<RowBatch> batches;
    private final KeyBuffer key = new KeyBuffer();

    Request(int from, int to) {
      wanted = Arrays.copyOfRange(order, from, to);
      byte[] lowest = partitionKeys[wanted[0]];
      byte[] highest = partitionKeys[wanted[wanted.length - 1]];
      KeyInterval partitions =
          new KeyInterval(lowest, Arrays.copyOf(highest, highest.length + 1)); // successor
      Arrays.sort(
          wanted, Comparator.comparing(ListedLookup.this::encoded, Arrays::compareUnsigned));
      List<byte[]> distinct = new ArrayList<>(wanted.length);
      for (int i = 0; i < wanted.length; i++) {
        if (i == 0 || !Arrays.equals(encoded(wanted[i]), encoded(wanted[i - 1]))) {
          distinct.add(encoded(wanted[i]));
        }
      }
      batches =
          scan.scan(scan.query().ofKeys(distinct, partitions), RowBatchDecoder.rowwise(layout));
    }

    CompletableFuture<Void> read() {
      return batches
          .next()
          .thenCompose(
              batch -> {
                if (batch.rows() != null) {
                  accept(batch.rows());
                }
                if (!batch.hasMore()) {
                  return CompletableFuture.completedFuture(null);
                }
                return all.isDone() ? batches.close() : read();
              });
    }

    private void accept(RowBatch batch) {
      for (int row = 0; row < batch.count(); row++) {
        key.clear();
        for (int column = 0; column < keyColumnCount; column++) {
          batch.appendKeyCell(layout, column, row, column == keyColumnCount - 1, key);
        }
        for (int i = firstOf(); i < wanted.length && isKey(wanted[i]); i++) {
          rows.set(wanted[i], Optional.of(factory.row(batch, row))); // one writer per index
        }
      }
    }

    private boolean isKey(int place) {
      return compare(encoded(place)) == 0;
    }

    private int compare(byte[] other) {
      return Arrays.compareUnsigned(other, 0, other.length, key.array(), 0, key.length());
    }

    /** The first position of {@link #key} in {@link #wanted}, or where it would be. */
    private int firstOf() {
      int low = 0;
      int high = wanted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (compare(encoded(wanted[middle])) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
