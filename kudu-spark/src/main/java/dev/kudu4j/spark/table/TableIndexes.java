package dev.kudu4j.spark.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.sql.catalyst.analysis.IndexAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchIndexException;
import org.apache.spark.sql.connector.catalog.index.SupportsIndex;
import org.apache.spark.sql.connector.catalog.index.TableIndex;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import scala.Option;

/** The secondary indexes of a table, for {@code CREATE INDEX} and {@code DROP INDEX}. */
final class TableIndexes {
  private static final String INCLUDE = "include";
  private static final String UNIQUE = "unique";
  private static final String LOCAL = "local";

  private final LoadedTable table;

  TableIndexes(LoadedTable table) {
    this.table = table;
  }

  /**
   * Creates an index.
   *
   * @param options {@link SupportsIndex#PROP_TYPE}, of USING: empty or {@code local}; {@code
   *     include}: further columns with commas between, or {@code *}; {@code unique}: {@code true}
   *     if no two rows may have equal values
   */
  void create(String name, NamedReference[] columns, Map<String, String> options)
      throws IndexAlreadyExistsException {
    checkOptions(options);
    if (exists(name)) {
      throw new IndexAlreadyExistsException(name, table.name(), Option.empty());
    }
    String[] names = Arrays.stream(columns).map(TableIndexes::columnName).toArray(String[]::new);
    KuduIndex index =
        isUnique(options) ? KuduIndex.unique(name, names) : KuduIndex.local(name, names);
    String include = options.getOrDefault(INCLUDE, "").trim();
    if (include.equals("*")) {
      index = index.includingOthers();
    } else if (!include.isEmpty()) {
      index = index.including(include.split("\\s*,\\s*"));
    }
    alter("creation of index " + name, new AlterTableOptions().addIndex(index));
  }

  private static boolean isUnique(Map<String, String> options) {
    String unique = options.getOrDefault(UNIQUE, "false");
    if (!unique.equalsIgnoreCase("true") && !unique.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(
          "Option " + UNIQUE + " of an index is true or false, not " + unique);
    }
    return Boolean.parseBoolean(unique);
  }

  private static String columnName(NamedReference column) {
    if (column.fieldNames().length != 1) {
      throw new IllegalArgumentException(
          "Only columns can be indexed, but no fields of them: " + column.describe());
    }
    return column.fieldNames()[0];
  }

  private static void checkOptions(Map<String, String> options) {
    for (Map.Entry<String, String> option : options.entrySet()) {
      boolean type = option.getKey().equals(SupportsIndex.PROP_TYPE);
      if (type && !option.getValue().isEmpty() && !option.getValue().equalsIgnoreCase(LOCAL)) {
        throw new IllegalArgumentException(
            "Indexes of type " + option.getValue() + " are not supported; use USING local");
      }
      if (!type && !option.getKey().equals(INCLUDE) && !option.getKey().equals(UNIQUE)) {
        throw new IllegalArgumentException(
            "Indexes have no option "
                + option.getKey()
                + "; known are "
                + INCLUDE
                + " and "
                + UNIQUE);
      }
    }
  }

  void drop(String name) throws NoSuchIndexException {
    if (!exists(name)) {
      throw new NoSuchIndexException(name, table.name(), Option.empty());
    }
    alter("removal of index " + name, new AlterTableOptions().dropIndex(name));
  }

  boolean exists(String name) {
    return current().stream().anyMatch(index -> index.getName().equals(name));
  }

  TableIndex[] list() {
    return current().stream().map(TableIndexes::describe).toArray(TableIndex[]::new);
  }

  private static TableIndex describe(KuduIndex index) {
    Properties properties = new Properties();
    if (!index.getIncludedColumns().isEmpty()) {
      properties.setProperty(INCLUDE, String.join(",", index.getIncludedColumns()));
    }
    if (index.isUnique()) {
      properties.setProperty(UNIQUE, "true");
    }
    NamedReference[] columns =
        index.getColumns().stream().map(Expressions::column).toArray(NamedReference[]::new);
    return new TableIndex(index.getName(), LOCAL, columns, Map.of(), properties);
  }

  private List<KuduIndex> current() {
    String kuduName = table.kuduTable().getName();
    try {
      KuduTable now = table.connection().client().openTable(kuduName);
      return now.getIndexes();
    } catch (KuduException e) {
      throw ClusterErrors.of("indexes of table " + kuduName, e);
    }
  }

  private void alter(String what, AlterTableOptions change) {
    String kuduName = table.kuduTable().getName();
    try {
      table.connection().client().alterTable(kuduName, change);
    } catch (KuduException e) {
      throw ClusterErrors.of(what + " of table " + kuduName, e);
    }
  }
}
