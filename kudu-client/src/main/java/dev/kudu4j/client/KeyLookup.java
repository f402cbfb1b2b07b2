package dev.kudu4j.client;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.scan.TableScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds rows by their primary key. It is the leader that answers, and what this client has written
 * before is seen, also when another replica leads by then.
 *
 * <p>The keys of a tablet go to it in one request, a scan of given keys, which our servers know.
 * One that does not (Apache Kudu's) refuses it; from then on this client looks keys up one by one,
 * see {@link SingleLookups}. Thread-safe.
 */
final class KeyLookup {
  private final KuduTable table;
  private final ScanPlan plan;

  KeyLookup(KuduTable table) {
    this.table = table;
    this.plan =
        table.getAsyncClient().newScannerBuilder(table).readMode(ReadMode.READ_YOUR_WRITES).plan();
  }

  /**
   * The row of a key, if there is one.
   *
   * @throws IllegalStateException when a column of the key is not set
   */
  CompletableFuture<Optional<RowResult>> get(PartialRow key) {
    return getAll(List.of(key)).thenApply(rows -> rows.get(0));
  }

  /**
   * The rows of many keys, in their order.
   *
   * @throws IllegalStateException when a column of a key is not set
   */
  CompletableFuture<List<Optional<RowResult>>> getAll(List<PartialRow> wanted) {
    List<PartialRow> keys = List.copyOf(wanted);
    List<byte[]> encoded = new ArrayList<>(keys.size());
    for (PartialRow key : keys) {
      encoded.add(key.encodePrimaryKey());
    }
    AsyncKuduClient client = table.getAsyncClient();
    if (client.looksUpSingly()) {
      return new SingleLookups(table).getAll(keys, encoded);
    }
    return new ListedLookup(plan, keys, encoded)
        .run()
        .exceptionallyCompose(
            failure -> {
              if (!TableScan.isKeysRefused(failure)) {
                return CompletableFuture.failedFuture(failure);
              }
              client.lookUpSingly();
              return new SingleLookups(table).getAll(keys, encoded);
            });
  }
}
