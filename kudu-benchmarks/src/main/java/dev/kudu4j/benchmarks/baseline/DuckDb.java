package dev.kudu4j.benchmarks.baseline;

import dev.kudu4j.benchmarks.workload.KeySample;
import io.trino.tpch.LineItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The baseline: DuckDB on one thread with its own database file. */
public final class DuckDb implements AutoCloseable {
  private final LineItemTable table;
  private final Path file;
  private final DuckDBConnection connection;
  private DuckDBAppender appender;

  public DuckDb(LineItemTable table, Path file) throws SQLException {
    this.table = table;
    this.file = file;
    this.connection =
        DriverManager.getConnection("jdbc:duckdb:" + file).unwrap(DuckDBConnection.class);
    execute("PRAGMA threads=1");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public void create() throws SQLException {
    execute(table.duckDbTable());
    appender = connection.createAppender("lineitem");
  }

  public void insert(LineItem line) throws SQLException {
    table.append(appender, line);
  }

  public void finishLoad() throws SQLException {
    appender.close();
    execute("CHECKPOINT");
  }

  /** The rows of a query's result in order, each cell as text. */
  public List<List<String>> query(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return rows(statement);
    }
  }

  public static List<List<String>> rows(PreparedStatement statement) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  public long fileBytes() throws IOException {
    return Files.size(file);
  }

  /**
   * Creates a temporary table of keys with the columns {@code o}, the order key, and {@code n}, the
   * line number.
   */
  public void createKeys(String name, KeySample keys) throws SQLException {
    execute("CREATE OR REPLACE TEMP TABLE " + name + " (o BIGINT, n INTEGER)");
    try (DuckDBAppender rows = connection.createAppender("temp", "main", name)) {
      for (int i = 0; i < keys.size(); i++) {
        rows.beginRow();
        rows.append(keys.orderKey(i));
        rows.append(keys.lineNumber(i));
        rows.endRow();
      }
    }
  }

  /** Compressed bytes of each column of a Parquet file, by name. */
  public Map<String, Long> parquetColumnBytes(Path file) throws SQLException {
    String sql =
        "SELECT path_in_schema, sum(total_compressed_size) FROM parquet_metadata('%s') GROUP BY 1";
    Map<String, Long> bytes = new HashMap<>();
    for (List<String> row : query(sql.formatted(file))) {
      bytes.put(row.get(0), Long.parseLong(row.get(1)));
    }
    return bytes;
  }

  /** Writes the table as Parquet with Snappy and returns the size of the file. */
  public long writeParquet(Path to) throws SQLException, IOException {
    execute("COPY lineitem TO '" + to + "' (FORMAT parquet, COMPRESSION snappy)");
    return Files.size(to);
  }

  /** Makes a Parquet file, for queries, the table {@code lineitem}. */
  public void createView(Path parquet) throws SQLException {
    execute("CREATE VIEW lineitem AS SELECT * FROM '" + parquet + "'");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
