package dev.kudu4j.tools.demo;

import java.math.BigDecimal;
import java.sql.Date;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.RowResult;

/**
 * The four queries of the Kudu paper, and the totals that tell states of the table apart. Columns
 * and predicates go to the servers; what is summed is summed here.
 */
final class LineItemQueries {
  private final KuduClient client;
  private final KuduTable table;

  LineItemQueries(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /** The columns of TPC-H's first query, where its predicate holds. */
  PricingSummary pricingSummary() throws KuduException {
    PricingSummary summary = new PricingSummary();
    KuduPredicate shipped =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(LineItemTable.SHIP_DATE),
            ComparisonOp.LESS_EQUAL,
            Date.valueOf(LineItemFacts.LAST_SHIP_DATE));
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

  /** COUNT(*): no column travels. */
  long count() throws KuduException {
    return Scans.count(scan().build());
  }

  /** COUNT(*) where a column that is no key has a value. */
  long countOfQuantity(int quantity) throws KuduException {
    KuduPredicate equal =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(LineItemTable.QUANTITY),
            ComparisonOp.EQUAL,
            BigDecimal.valueOf(quantity * 100L, TpchTable.CENTS));
    return Scans.count(scan().addPredicate(equal).build());
  }

  /** The lines of one order: one tablet is asked, and there one range of keys. */
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

  /** The table as it is now. */
  Totals totals() throws KuduException {
    return totals(scan(LineItemTable.QUANTITY).build());
  }

  /**
   * The table as it was.
   *
   * @param timestamp hybrid time, as the client keeps it
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
