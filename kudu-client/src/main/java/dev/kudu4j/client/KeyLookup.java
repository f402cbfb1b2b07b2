package dev.kudu4j.client;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
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
  private final Rows rows;

  /**
   * How all rows of the table come.
   *
   * @param plan of a scan of all columns
   * @param kinds of the columns, see {@link RowResult#kinds}
   */
  record Rows(ScanPlan plan, CellLayout layout, int[] kinds) {
    RowResult row(RowBatch batch, int number) {
      RowResult row = RowResult.of(batch, plan.projection(), layout, kinds);
      row.moveTo(number);
      return row;
    }
  }

  KeyLookup(KuduTable table) {
    this.table = table;
    ScanPlan plan =
        table.getAsyncClient().newScannerBuilder(table).readMode(ReadMode.READ_YOUR_WRITES).plan();
    CellLayout layout = new CellLayout(plan.query().projection());
    int[] kinds = RowResult.kinds(layout, plan.projection().getColumnCount());
    this.rows = new Rows(plan, layout, kinds);
  }

  /**
   * The row of a key, if there is one.
   *
   * @throws IllegalStateException when a column of the key is not set
   */
  CompletableFuture<Optional<RowResult>> get(PartialRow key) {
    return getAll(List.of(key)).thenApply(found -> found.get(0));
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
    return new ListedLookup(rows, keys, encoded)
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
