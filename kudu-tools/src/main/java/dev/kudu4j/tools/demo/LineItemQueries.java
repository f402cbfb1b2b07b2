package dev.kudu4j.tools.demo;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.sql.Date;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The four queries of the Kudu paper, and the totals that identify a state of the table. Servers
 * evaluate projections and predicates; the demo computes the sums.
 */
final class LineItemQueries {
  private final KuduClient client;
  private final KuduTable table;

  LineItemQueries(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /** TPC-H's first query: reads the rows that satisfy its predicate, and sums up their columns. */
  PricingSummary pricingSummary() throws KuduException {
    PricingSummary summary = new PricingSummary();
    KuduPredicate shipped =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(LineItemTable.SHIP_DATE),
            ComparisonOp.LESS_EQUAL,
            Date.valueOf(ExpectedResults.LAST_SHIP_DATE));
    KuduScanner scanner =
        scan(
                LineItemTable.RETURN_FLAG,
                LineItemTable.LINE_STATUS,
                LineItemTable.QUANTITY,
                LineItemTable.PRICE,
                LineItemTable.DISCOUNT,
                LineItemTable.TAX)
            .addPredicate(shipped)
            .build();
    Scans.forEach(
        scanner,
        row ->
            summary.add(
                row.getString(0),
                row.getString(1),
                hundredths(row, 2),
                hundredths(row, 3),
                hundredths(row, 4),
                hundredths(row, 5)));
    return summary;
  }

  /** COUNT(*), which reads no columns. */
  long count() throws KuduException {
    return Scans.count(scan().build());
  }

  /** COUNT(*) of rows with a value in a non-key column. */
  long countOfQuantity(int quantity) throws KuduException {
    KuduPredicate equal =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(LineItemTable.QUANTITY),
            ComparisonOp.EQUAL,
            BigDecimal.valueOf(quantity * 100L, TpchTable.CENTS));
    return Scans.count(scan().addPredicate(equal).build());
  }

  /** The lines of one order: a scan of one key range in one tablet. */
  List<OrderLine> linesOf(long order) throws KuduException {
    KuduPredicate equal =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(LineItemTable.ORDER_KEY), ComparisonOp.EQUAL, order);
    KuduScanner scanner =
        scan(
                LineItemTable.LINE_NUMBER,
                LineItemTable.QUANTITY,
                LineItemTable.PRICE,
                LineItemTable.SHIP_MODE)
            .addPredicate(equal)
            .build();
    List<OrderLine> lines = new ArrayList<>();
    Scans.forEach(
        scanner,
        row ->
            lines.add(
                new OrderLine(
                    row.getInt(0), hundredths(row, 1), hundredths(row, 2), row.getString(3))));
    lines.sort(Comparator.comparingInt(OrderLine::lineNumber));
    return lines;
  }

  /** The totals of the table at present. */
  Totals totals() throws KuduException {
    return totals(scan(LineItemTable.QUANTITY).build());
  }

  /**
   * The totals of the table at an earlier time.
   *
   * @param timestamp hybrid time, in the client's representation
   */
  Totals totalsAt(long timestamp) throws KuduException {
    return totals(
        scan(LineItemTable.QUANTITY)
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(timestamp)
            .build());
  }

  private KuduScanner.KuduScannerBuilder scan(String... columns) {
    return client.newScannerBuilder(table).setProjectedColumnNames(List.of(columns));
  }

  private static Totals totals(KuduScanner scanner) throws KuduException {
    long[] sums = new long[2];
    Scans.forEach(
        scanner,
        row -> {
          sums[0]++;
          sums[1] += hundredths(row, 0);
        });
    return new Totals(sums[0], sums[1]);
  }

  private static long hundredths(RowResult row, int column) {
    return row.getDecimal(column).unscaledValue().longValue();
  }
}
