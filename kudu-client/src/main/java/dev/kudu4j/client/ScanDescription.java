package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.stream.PreparedScan;

/**
 * The scan that a builder describes. Later calls of the builder do not change it.
 *
 * @param projection the columns that the user sees; the scan may read further columns after them
 * @param offset how many of the first rows in an order are not returned
 * @param mayUseIndex whether an index may be read instead of the table
 */
record ScanDescription(
    KuduTable table,
    Schema projection,
    AsyncKuduScanner.ReadMode readMode,
    boolean inKeyOrder,
    int offset,
    boolean mayUseIndex,
    PreparedScan scan) {
  /** This scan, of an index instead of the table if that is better. */
  ScanDescription withIndex() {
    GlobalIndexes indexes = table.globalIndexes();
    PreparedScan chosen = mayUseIndex && !inKeyOrder ? indexes.choose(scan) : indexes.ofTable(scan);
    return new ScanDescription(
        table, projection, readMode, inKeyOrder, offset, mayUseIndex, chosen);
  }

  /** Whether the result is the first rows in an order. */
  boolean isOrdered() {
    return scan.query().top() != null;
  }
}
