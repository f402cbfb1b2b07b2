package dev.kudu4j.spark.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
  private static final String HASH = "hash";
  private static final String BUCKETS = "buckets";
  private static final String LOCAL = "local";
  private static final String GLOBAL = "global";
  private static final String CLUSTERING = "clustering";

  /** The options of each type of index. */
  private static final Map<String, List<String>> OPTIONS =
      Map.of(
          LOCAL, List.of(INCLUDE, UNIQUE),
          GLOBAL, List.of(INCLUDE, UNIQUE, HASH, BUCKETS),
          CLUSTERING, List.of(HASH, BUCKETS));

  private final LoadedTable table;

  TableIndexes(LoadedTable table) {
    this.table = table;
  }

  /**
   * Creates an index.
   *
   * @param options {@link SupportsIndex#PROP_TYPE}, of USING: {@code global}, {@code clustering},
   *     or empty or {@code local}; {@code include}: further columns with commas between, or {@code
   *     *}; {@code unique}: {@code true} if no two rows may have equal values; {@code hash} and
   *     {@code buckets}: by which columns, and to how many tablets, a global index is distributed
   */
  void create(String name, NamedReference[] columns, Map<String, String> options)
      throws IndexAlreadyExistsException {
    String type = type(options);
    checkOptions(type, options);
    if (exists(name)) {
      throw new IndexAlreadyExistsException(name, table.name(), Option.empty());
    }
    String[] names = Arrays.stream(columns).map(TableIndexes::columnName).toArray(String[]::new);
    KuduIndex index = index(type, name, names, options);
    alter("creation of index " + name, new AlterTableOptions().addIndex(index));
  }

  private static KuduIndex index(
      String type, String name, String[] columns, Map<String, String> options) {
    return switch (type) {
      case GLOBAL -> {
        KuduIndex index =
            isUnique(options)
                ? KuduIndex.uniqueGlobal(name, columns)
                : KuduIndex.global(name, columns);
        yield distributed(including(index, options), options);
      }
      case CLUSTERING -> distributed(KuduIndex.clustering(name, columns), options);
      default ->
          including(
              isUnique(options) ? KuduIndex.unique(name, columns) : KuduIndex.local(name, columns),
              options);
    };
  }

  private static KuduIndex including(KuduIndex index, Map<String, String> options) {
    String include = options.getOrDefault(INCLUDE, "").trim();
    if (include.equals("*")) {
      return index.includingOthers();
    }
    return include.isEmpty() ? index : index.including(names(include));
  }

  private static KuduIndex distributed(KuduIndex index, Map<String, String> options) {
    String hash = options.getOrDefault(HASH, "").trim();
    String buckets = options.get(BUCKETS);
    if (hash.isEmpty() && buckets == null) {
      return index;
    }
    return index.hashedBy(
        buckets == null ? index.getBuckets() : count(buckets),
        hash.isEmpty() ? new String[0] : names(hash));
  }

  private static String[] names(String list) {
    return list.split("\\s*,\\s*", -1);
  }

  private static int count(String buckets) {
    try {
      return Integer.parseInt(buckets.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Option " + BUCKETS + " of an index is a number of tablets, not " + buckets, e);
    }
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

  private static String type(Map<String, String> options) {
    String type = options.getOrDefault(SupportsIndex.PROP_TYPE, "").toLowerCase(Locale.ROOT);
    if (!type.isEmpty() && !OPTIONS.containsKey(type)) {
      throw new IllegalArgumentException(
          "Indexes of type "
              + type
              + " are not supported; use USING local, USING global or USING clustering");
    }
    return type.isEmpty() ? LOCAL : type;
  }

  private static void checkOptions(String type, Map<String, String> options) {
    List<String> known = OPTIONS.get(type);
    for (String option : options.keySet()) {
      if (!option.equals(SupportsIndex.PROP_TYPE) && !known.contains(option)) {
        throw new IllegalArgumentException(
            "Indexes of type "
                + type
                + " have no option "
                + option
                + "; known are "
                + String.join(" and ", known));
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
    if (index.getBuckets() > 0) {
      properties.setProperty(BUCKETS, Integer.toString(index.getBuckets()));
    }
    if (!index.getHashColumns().isEmpty()) {
      properties.setProperty(HASH, String.join(",", index.getHashColumns()));
    }
    NamedReference[] columns =
        index.getColumns().stream().map(Expressions::column).toArray(NamedReference[]::new);
    return new TableIndex(index.getName(), type(index), columns, Map.of(), properties);
  }

  private static String type(KuduIndex index) {
    if (index.isUniqueGlobal()) {
      return GLOBAL;
    }
    if (!index.isGlobal()) {
      return LOCAL;
    }
    return index.includesOthers() ? CLUSTERING : GLOBAL;
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
