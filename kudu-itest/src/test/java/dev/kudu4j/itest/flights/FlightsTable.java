package dev.kudu4j.itest.flights;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kudu.Type;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration;

/** The flights' table through the published client. */
public final class FlightsTable {
  public static final String NAME = "flights";

  private final KuduClient client;
  private final KuduTable table;

  public FlightsTable(KuduClient client) throws KuduException {
    this.client = client;
    if (!client.tableExists(NAME)) {
      client.createTable(NAME, Flights.schema(), Flights.partitioning(Flights.schema()));
    }
    this.table = client.openTable(NAME);
  }

  public KuduTable table() {
    return table;
  }

  public void insert(List<Object[]> rows) throws KuduException {
    write(rows, row -> fill(table.newInsert(), row, COLUMN_INDEXES));
  }

  /** Updates the given columns to the values in the rows. */
  public void update(List<Object[]> rows, List<String> columns) throws KuduException {
    List<Integer> indexes = new ArrayList<>(KEY_INDEXES);
    columns.forEach(column -> indexes.add(Flights.column(column)));
    write(rows, row -> fill(table.newUpdate(), row, indexes));
  }

  public void delete(List<Object[]> rows) throws KuduException {
    write(rows, row -> fill(table.newDelete(), row, KEY_INDEXES));
  }

  private static final List<Integer> COLUMN_INDEXES = indexes(Flights.COLUMNS.size());
  private static final List<Integer> KEY_INDEXES = indexes(4);

  private static List<Integer> indexes(int count) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      indexes.add(i);
    }
    return indexes;
  }

  private interface RowOperation {
    Operation of(Object[] row);
  }

  private void write(List<Object[]> rows, RowOperation operation) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(4000);
    for (Object[] row : rows) {
      session.apply(operation.of(row));
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new AssertionError("Rows failed: " + session.getPendingErrors().getRowErrors()[0]);
    }
  }

  private static Operation fill(Operation operation, Object[] row, List<Integer> columns) {
    PartialRow partial = operation.getRow();
    for (int i : columns) {
      if (row[i] == null) {
        partial.setNull(i);
      } else {
        partial.addObject(
            i, Flights.COLUMNS.get(i).type() == Type.UNIXTIME_MICROS ? timestamp(row[i]) : row[i]);
      }
    }
    return operation;
  }

  private static Object timestamp(Object micros) {
    return new java.sql.Timestamp((Long) micros / 1000);
  }

  public Summary scan(RowDataFormat layout, List<KuduPredicate> predicates) throws KuduException {
    Summary summary = new Summary();
    scan(layout, predicates, summary::add);
    return summary;
  }

  public void scan(RowDataFormat layout, List<KuduPredicate> predicates, Consumer<Object[]> sink)
      throws KuduException {
    KuduScanner.KuduScannerBuilder builder = client.newScannerBuilder(table);
    predicates.forEach(builder::addPredicate);
    KuduScanner scanner = builder.build();
    scanner.setRowDataFormat(layout);
    while (scanner.hasMoreRows()) {
      for (RowResult result : scanner.nextRows()) {
        Object[] row = new Object[Flights.COLUMNS.size()];
        for (int i = 0; i < row.length; i++) {
          row[i] = result.isNull(i) ? null : value(result, i);
        }
        sink.accept(row);
      }
    }
    scanner.close();
  }

  private static Object value(RowResult result, int column) {
    return Flights.COLUMNS.get(column).type() == Type.UNIXTIME_MICROS
        ? (Object) result.getLong(column)
        : result.getObject(column);
  }
}
