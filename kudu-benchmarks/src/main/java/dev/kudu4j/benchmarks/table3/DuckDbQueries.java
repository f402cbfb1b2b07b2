package dev.kudu4j.benchmarks.table3;

import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.QueryTrial;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Queries {@code lineitem} in DuckDB: its own table or, as a view, Parquet. */
final class DuckDbQueries implements QueryTrial {
  private static final int SAMPLED_KEYS = 1_000;

  private final DuckDb duckDb;
  private final PreparedStatement rowByKey;

  private DuckDbQueries(DuckDb duckDb) throws SQLException {
    this.duckDb = duckDb;
    this.rowByKey =
        duckDb.prepare("SELECT * FROM lineitem WHERE l_orderkey = ? AND l_linenumber = ?");
  }

  /**
   * Creates the table.
   *
   * @param duckDb taken
   */
  static DuckDbQueries ofTable(DuckDb duckDb) throws SQLException {
    duckDb.create();
    return new DuckDbQueries(duckDb);
  }

  /**
   * @param duckDb taken; has a view {@code lineitem}
   */
  static DuckDbQueries ofView(DuckDb duckDb) throws SQLException {
    return new DuckDbQueries(duckDb);
  }

  @Override
  public Loaded load(double scale) throws SQLException {
    long startNanos = System.nanoTime();
    KeySample sample = new KeySample(SAMPLED_KEYS, 1);
    long rows = 0;
    double quantity = 0;
    for (LineItem line : new LineItemGenerator(scale, 1, 1)) {
      duckDb.insert(line);
      sample.offer(line.getOrderKey(), line.getLineNumber());
      quantity += line.getQuantity();
      rows++;
    }
    duckDb.finishLoad();
    return new Loaded(rows, quantity, sample, System.nanoTime() - startNanos);
  }

  @Override
  public List<List<String>> answer(LineItemQuery query) throws SQLException {
    return query == LineItemQuery.FETCH_48 ? fetch(query) : duckDb.query(query.sql());
  }

  private List<List<String>> fetch(LineItemQuery query) throws SQLException {
    long count = 0;
    long sum = 0;
    try (PreparedStatement statement = duckDb.prepare(query.sql());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        count++;
        sum += result.getLong(1);
      }
    }
    return List.of(List.of(Long.toString(count), Long.toString(sum)));
  }

  @Override
  public long[] lookUp(KeySample keys) throws SQLException {
    long[] nanos = new long[keys.size()];
    for (int i = 0; i < nanos.length; i++) {
      long startNanos = System.nanoTime();
      rowByKey.setLong(1, keys.orderKey(i));
      rowByKey.setInt(2, keys.lineNumber(i));
      int found = DuckDb.rows(rowByKey).size();
      nanos[i] = System.nanoTime() - startNanos;
      if (found != 1) {
        throw new IllegalStateException("DuckDB found %d rows of one key".formatted(found));
      }
    }
    return nanos;
  }

  @Override
  public void close() throws SQLException {
    rowByKey.close();
    duckDb.close();
  }
}
