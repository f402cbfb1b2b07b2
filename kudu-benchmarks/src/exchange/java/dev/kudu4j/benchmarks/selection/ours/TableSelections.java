package dev.kudu4j.benchmarks.selection.ours;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.selection.Answer;
import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.benchmarks.selection.SelectionTrial;
import dev.kudu4j.benchmarks.selection.TableColumn;
import dev.kudu4j.benchmarks.workload.ours.BackgroundWrites;
import dev.kudu4j.benchmarks.workload.ours.TabletServers;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A generated table, read by scans in columnar layout. Of each row, the program reads the first
 * cell. Ranges joined by AND are filtered by the servers; for others this program fetches the
 * columns of all rows and filters them, since predicates cannot be joined by OR.
 */
public class TableSelections implements SelectionTrial {
  private static final int PRECISION = 15;
  private static final int SCALE = 2;

  private final GeneratedTable rows;
  private final KuduClient client;
  private KuduTable table;

  /**
   * Creates the table.
   *
   * @param tablets number of its tablets, hashed by the key
   */
  public TableSelections(String masters, GeneratedTable rows, int tablets) throws KuduException {
    this(masters, rows, partitioning(rows, tablets));
  }

  /** Creates the table with some options, which include the partitioning. */
  protected TableSelections(String masters, GeneratedTable rows, CreateTableOptions options)
      throws KuduException {
    this.rows = rows;
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    TabletServers.await(client, 1);
    this.table = client.createTable(rows.name(), schema(rows), options);
  }

  private static Schema schema(GeneratedTable rows) {
    List<ColumnSchema> columns = new ArrayList<>();
    for (TableColumn column : rows.columns()) {
      ColumnSchemaBuilder builder = new ColumnSchemaBuilder(column.name(), type(column.type()));
      if (column.type() == CellType.DECIMAL) {
        builder.typeAttributes(
            new ColumnTypeAttributesBuilder().precision(PRECISION).scale(SCALE).build());
      }
      columns.add(builder.key(columns.isEmpty()).nullable(false).build());
    }
    return new Schema(columns);
  }

  private static Type type(CellType type) {
    return switch (type) {
      case INT32 -> Type.INT32;
      case INT64 -> Type.INT64;
      case DOUBLE -> Type.DOUBLE;
      case DECIMAL -> Type.DECIMAL;
      case DATE -> Type.DATE;
      case STRING -> Type.STRING;
    };
  }

  /** The partitioning of a table: by the hash of the key. */
  protected static CreateTableOptions partitioning(GeneratedTable rows, int tablets) {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(1);
    return tablets == 1
        ? options.setRangePartitionColumns(List.of())
        : options.addHashPartitions(List.of(rows.columns().get(0).name()), tablets);
  }

  protected final KuduClient client() {
    return client;
  }

  protected final KuduTable table() {
    return table;
  }

  /** Opens the table again, to learn what was added to it. */
  protected final void reopen() throws KuduException {
    table = client.openTable(table.getName());
  }

  protected final GeneratedTable rows() {
    return rows;
  }

  @Override
  public long load(int threads) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> shares = new ArrayList<>();
      for (int part = 1; part <= threads; part++) {
        Iterator<Insert> share = inserts(part, threads);
        shares.add(executor.submit(() -> BackgroundWrites.apply(client, share)));
      }
      long loaded = 0;
      for (Future<Long> share : shares) {
        loaded += share.get();
      }
      return loaded;
    } finally {
      executor.shutdownNow();
    }
  }

  private Iterator<Insert> inserts(int part, int parts) {
    Iterator<Object[]> share = rows.rows(part, parts);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return share.hasNext();
      }

      @Override
      public Insert next() {
        Object[] cells = share.next();
        Insert insert = table.newInsert();
        for (int column = 0; column < cells.length; column++) {
          insert.getRow().addObject(column, cells[column]);
        }
        return insert;
      }
    };
  }

  @Override
  public Answer answer(Selection selection) throws KuduException {
    if (selection.isOr()) {
      return filterHere(selection);
    }
    KuduScanner.KuduScannerBuilder builder =
        client.newScannerBuilder(table).setProjectedColumnNames(selection.columns());
    for (Range range : selection.ranges()) {
      predicates(range).forEach(builder::addPredicate);
    }
    return read(builder.build());
  }

  /** The predicates that are a range. */
  protected final List<KuduPredicate> predicates(Range range) {
    ColumnSchema column = table.getSchema().getColumn(range.column());
    if (range.lower().equals(range.upper())) {
      return List.of(
          KuduPredicate.newComparisonPredicate(column, ComparisonOp.EQUAL, range.lower()));
    }
    return List.of(
        KuduPredicate.newComparisonPredicate(column, ComparisonOp.GREATER_EQUAL, range.lower()),
        KuduPredicate.newComparisonPredicate(column, ComparisonOp.LESS_EQUAL, range.upper()));
  }

  /** Reads all rows of a scanner, and closes it. */
  protected final Answer read(KuduScanner scanner) throws KuduException {
    Schema columns = scanner.getProjectionSchema();
    Type type = columns.getColumnCount() == 0 ? null : columns.getColumnByIndex(0).getType();
    long count = 0;
    long sum = 0;
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    scanner.setReuseRowResult(true);
    while (scanner.hasMoreRows()) {
      RowResultIterator batch = scanner.nextRows();
      count += batch.getNumRows();
      if (type != null) {
        for (RowResult row : batch) {
          sum += number(row, 0, type);
        }
      }
    }
    scanner.close();
    return new Answer(count, sum);
  }

  private static long number(RowResult row, int column, Type type) {
    return switch (type) {
      case INT64 -> row.getLong(column);
      case INT32, DATE -> row.getInt(column);
      case STRING -> row.getString(column).length();
      default -> throw new IllegalArgumentException("No number in a column of " + type);
    };
  }

  private Answer filterHere(Selection selection) throws KuduException {
    List<String> columns = new ArrayList<>(selection.columns());
    selection.ranges().stream()
        .map(Range::column)
        .filter(column -> !columns.contains(column))
        .forEach(columns::add);
    List<RangeTest> tests =
        selection.ranges().stream()
            .map(range -> new RangeTest(columns.indexOf(range.column()), type(range), range))
            .toList();
    KuduScanner scanner = client.newScannerBuilder(table).setProjectedColumnNames(columns).build();
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    scanner.setReuseRowResult(true);
    Type first = scanner.getProjectionSchema().getColumnByIndex(0).getType();
    long count = 0;
    long sum = 0;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        if (isSelected(row, tests)) {
          count++;
          sum += selection.counts() ? 0 : number(row, 0, first);
        }
      }
    }
    scanner.close();
    return new Answer(count, sum);
  }

  private Type type(Range range) {
    return table.getSchema().getColumn(range.column()).getType();
  }

  private static boolean isSelected(RowResult row, List<RangeTest> tests) {
    for (RangeTest test : tests) {
      if (test.passes(row)) {
        return true;
      }
    }
    return false;
  }

  /** The test of one range of numbers or dates in the program. */
  private static final class RangeTest {
    private final int column;
    private final Type type;
    private final long lower;
    private final long upper;

    RangeTest(int column, Type type, Range range) {
      this.column = column;
      this.type = type;
      this.lower = range.lowerNumber();
      this.upper = range.upperNumber();
    }

    boolean passes(RowResult row) {
      long value = number(row, column, type);
      return value >= lower && value <= upper;
    }
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
