package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;

/**
 * Reads six columns of every row, one tablet after the other, and counts and sums at the client.
 * The client's share is small but there; the processor time of the servers is measured apart.
 */
final class TableScan {
  private final KuduClient client;
  private final KuduTable table;
  private final Types types;
  private final RowDataFormat layout;

  TableScan(KuduClient client, KuduTable table, Types types, RowDataFormat layout) {
    this.client = client;
    this.table = table;
    this.types = types;
    this.layout = layout;
  }

  /** Scans, and fails unless it finds what was loaded. Nanoseconds that it took. */
  long run(Loaded expected) throws KuduException {
    long startNanos = System.nanoTime();
    KuduScanner scanner =
        client.newScannerBuilder(table).setProjectedColumnNames(LineItems.SCANNED_COLUMNS).build();
    scanner.setRowDataFormat(layout);
    scanner.setReuseRowResult(true);
    long rows = 0;
    double quantity = 0;
    while (scanner.hasMoreRows()) {
      RowResultIterator batch = scanner.nextRows();
      rows += batch.getNumRows();
      for (RowResult row : batch) {
        quantity += LineItems.quantity(row, types);
      }
    }
    scanner.close();
    long nanos = System.nanoTime() - startNanos;
    if (rows != expected.rows() || quantity != expected.quantity()) {
      throw new IllegalStateException(
          String.format(
              "A %s scan of %s found %d rows with quantity %s; loaded were %d with %s",
              layout, table.getName(), rows, quantity, expected.rows(), expected.quantity()));
    }
    return nanos;
  }
}
