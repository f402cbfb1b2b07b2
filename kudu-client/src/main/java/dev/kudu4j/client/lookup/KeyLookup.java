package dev.kudu4j.client.lookup;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.client.stream.PreparedScan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds rows by their primary key. Requests go to the leader of the tablet. The result includes all
 * earlier writes of this client, even if the leader has changed since.
 *
 * <p>The keys of a tablet are sent together, as a scan of given keys, which Kudu4j's servers
 * support. A server that does not support such a scan (Apache Kudu's) rejects it. From then on this
 * client looks up keys one by one; see {@link SingleLookups}. Thread-safe.
 *
 * @param <R> a user's row
 */
public final class KeyLookup<R> {
  private final PreparedScan scan;
  private final CellLayout layout;
  private final RowFactory<R> rows;
  private final AtomicBoolean oneByOne;

  /**
   * @param scan a READ_YOUR_WRITES scan of all columns
   * @param oneByOne whether a server has rejected a scan of given keys; shared by all lookups of a
   *     client
   */
  public KeyLookup(PreparedScan scan, RowFactory<R> rows, AtomicBoolean oneByOne) {
    this.scan = scan;
    this.layout = new CellLayout(scan.query().projection());
    this.rows = rows;
    this.oneByOne = oneByOne;
  }

  /** Looks up the row of a key. */
  public CompletableFuture<Optional<R>> get(LookupKey key) {
    return getAll(List.of(key)).thenApply(found -> found.get(0));
  }

  /** Looks up the rows of many keys; returns them in the order of the keys. */
  public CompletableFuture<List<Optional<R>>> getAll(List<LookupKey> wanted) {
    List<LookupKey> keys = List.copyOf(wanted);
    if (oneByOne.get()) {
      return new SingleLookups<>(scan, layout, rows).getAll(keys);
    }
    return new ListedLookup<>(scan, layout, rows, keys)
        .run()
        .exceptionallyCompose(
            failure -> {
              if (!ScanFailures.isKeysRefused(failure)) {
                return CompletableFuture.failedFuture(failure);
              }
              oneByOne.set(true);
              return new SingleLookups<>(scan, layout, rows).getAll(keys);
            });
  }
}
