package dev.kudu4j.spark;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.TableName;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.table.KuduSparkTable;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The tables of a cluster, as a catalog of Spark:
 *
 * <pre>
 *   spark.sql.catalog.k              dev.kudu4j.spark.KuduCatalog
 *   spark.sql.catalog.k.kudu.master  master:7051
 * </pre>
 *
 * <p>Other options are those of {@link KuduOptions}.
 */
public final class KuduCatalog implements TableCatalog {
  private String name;
  private KuduOptions options;
  private Connection connection;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
    this.options = KuduOptions.of(options.asCaseSensitiveMap());
    this.connection = this.options.connection();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Identifier[] listTables(String[] namespace) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    try {
      for (String candidate : TableName.candidates(identifier)) {
        if (connection.client().tableExists(candidate)) {
          KuduTable table = connection.client().openTable(candidate);
          return new KuduSparkTable(
              name + "." + identifier, connection, table, options, OptionalLong.empty());
        }
      }
    } catch (KuduException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    throw new NoSuchTableException(identifier);
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw new UnsupportedOperationException();
  }
}
