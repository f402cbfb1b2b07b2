package dev.kudu4j.benchmarks.workload.ours;

import static dev.kudu4j.client.KuduPredicate.newComparisonPredicate;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.benchmarks.workload.Compression;
import dev.kudu4j.benchmarks.workload.GeneratedItems;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.QueryTrial;
import dev.kudu4j.benchmarks.workload.Step;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.sql.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Queries a table with scans: the servers filter the rows, and the program aggregates them, one
 * scanner after another.
 */
public class TableQueries implements QueryTrial {
  private static final BigDecimal FORTY_EIGHT = new BigDecimal("48.00");

  private final KuduClient client;
  private final KuduTable table;

  /**
   * Creates the table.
   *
   * @param tablets number of its tablets, hashed by order
   */
  public TableQueries(String masters, String name, int tablets) throws KuduException {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    Workload workload = new Workload(1, 1, Types.EXACT, Compression.SERVER, EnumSet.of(Step.LOAD));
    Tables tables = new Tables(client, workload);
    tables.awaitTabletServers();
    this.table = tables.create(name, tablets);
  }

  protected final KuduTable table() {
    return table;
  }

  @Override
  public Loaded load(double scale) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return new TableLoad(client, table, Types.EXACT, thread)
          .run(1, part -> new GeneratedItems(scale, 1, 1));
    } finally {
      thread.shutdownNow();
    }
  }

  @Override
  public List<List<String>> answer(LineItemQuery query) throws KuduException {
    return switch (query) {
      case COUNT_ALL -> countAll();
      case COUNT_48 -> count48();
      case FETCH_48 -> fetch48();
      case SIX -> six();
      case ONE -> one();
    };
  }

  protected List<List<String>> countAll() throws KuduException {
    return count(client.newScannerBuilder(table).setProjectedColumnNames(List.of()).build());
  }

  protected List<List<String>> count48() throws KuduException {
    return count(
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of())
            .addPredicate(quantityIs48())
            .build());
  }

  private static List<List<String>> count(KuduScanner scanner) throws KuduException {
    long rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return List.of(List.of(Long.toString(rows)));
  }

  private List<List<String>> fetch48() throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of("l_partkey"))
            .addPredicate(quantityIs48())
            .build();
    long[] countAndSum = new long[2];
    forEach(
        scanner,
        row -> {
          countAndSum[0]++;
          countAndSum[1] += row.getLong(0);
        });
    return List.of(List.of(Long.toString(countAndSum[0]), Long.toString(countAndSum[1])));
  }

  protected List<List<String>> six() throws KuduException {
    KuduScanner.KuduScannerBuilder builder =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of("l_extendedprice", "l_discount"));
    sixPredicates().forEach(builder::addPredicate);
    BigDecimal[] revenue = {BigDecimal.ZERO};
    forEach(
        builder.build(),
        row -> revenue[0] = revenue[0].add(row.getDecimal(0).multiply(row.getDecimal(1))));
    return List.of(List.of(revenue[0].toPlainString()));
  }

  protected List<List<String>> one() throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(LineItems.SCANNED_COLUMNS)
            .addPredicate(shippedForOne())
            .build();
    PricingSummary summary = new PricingSummary();
    forEach(scanner, summary::add);
    return summary.rows();
  }

  /** The use of a row in a program. The row is valid only during the call. */
  private interface RowUse {
    void accept(RowResult row);
  }

  private static void forEach(KuduScanner scanner, RowUse use) throws KuduException {
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    scanner.setReuseRowResult(true);
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        use.accept(row);
      }
    }
    scanner.close();
  }

  protected final KuduPredicate quantityIs48() {
    return newComparisonPredicate(column("l_quantity"), ComparisonOp.EQUAL, FORTY_EIGHT);
  }

  /** The predicates of query 6. */
  protected final List<KuduPredicate> sixPredicates() {
    ColumnSchema shipDate = column("l_shipdate");
    ColumnSchema discount = column("l_discount");
    return List.of(
        newComparisonPredicate(shipDate, ComparisonOp.GREATER_EQUAL, Date.valueOf("1994-01-01")),
        newComparisonPredicate(shipDate, ComparisonOp.LESS, Date.valueOf("1995-01-01")),
        newComparisonPredicate(discount, ComparisonOp.GREATER_EQUAL, new BigDecimal("0.05")),
        newComparisonPredicate(discount, ComparisonOp.LESS_EQUAL, new BigDecimal("0.07")),
        newComparisonPredicate(column("l_quantity"), ComparisonOp.LESS, new BigDecimal("24.00")));
  }

  /** The predicate of query 1. */
  protected final KuduPredicate shippedForOne() {
    return newComparisonPredicate(
        column("l_shipdate"), ComparisonOp.LESS_EQUAL, Date.valueOf("1998-09-02"));
  }

  protected final ColumnSchema column(String name) {
    return table.getSchema().getColumn(name);
  }

  @Override
  public long[] lookUp(KeySample keys) throws KuduException {
    return new PointLookups(client, table).run(keys);
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
