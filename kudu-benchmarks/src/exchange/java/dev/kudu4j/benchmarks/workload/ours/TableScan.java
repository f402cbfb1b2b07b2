package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;

/** Reads every row, tablet by tablet; the client counts the rows and sums up cells. */
final class TableScan {
  private final KuduClient client;
  private final KuduTable table;
  private final Types types;
  private final RowDataFormat layout;
  private final Reading reading;
  private double everyCell = Double.NaN;

  TableScan(
      KuduClient client, KuduTable table, Types types, RowDataFormat layout, Reading reading) {
    this.client = client;
    this.table = table;
    this.types = types;
    this.layout = layout;
    this.reading = reading;
  }

  /**
   * Scans the table and returns the nanoseconds; fails unless count and sum are those of the loaded
   * rows.
   */
  long run(Loaded expected) throws KuduException {
    long startNanos = System.nanoTime();
    KuduScanner scanner = open();
    scanner.setRowDataFormat(layout);
    scanner.setReuseRowResult(true);
    long rows = 0;
    double quantity = 0;
    double cells = 0;
    while (scanner.hasMoreRows()) {
      RowResultIterator batch = scanner.nextRows();
      rows += batch.getNumRows();
      for (RowResult row : batch) {
        quantity += LineItems.quantity(row, types, reading);
        if (reading == Reading.EVERY_CELL) {
          cells += LineItems.everyCell(row);
        }
      }
    }
    scanner.close();
    everyCell = cells;
    long nanos = System.nanoTime() - startNanos;
    if (rows != expected.rows() || quantity != expected.quantity()) {
      throw new IllegalStateException(
          String.format(
              "A %s scan of %s found %d rows with quantity %s; loaded were %d with %s",
              layout, table.getName(), rows, quantity, expected.rows(), expected.quantity()));
    }
    return nanos;
  }

  /** The sum over all cells of the last scan, if it read them. */
  double everyCell() {
    return everyCell;
  }

  private KuduScanner open() {
    KuduScanner.KuduScannerBuilder builder = client.newScannerBuilder(table);
    if (reading == Reading.SIX_COLUMNS) {
      builder.setProjectedColumnNames(LineItems.SCANNED_COLUMNS);
    }
    return builder.build();
  }
}
