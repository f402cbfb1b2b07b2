package dev.kudu4j.spark.catalog;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Partition;
import dev.kudu4j.client.PartitionSchema;
import dev.kudu4j.client.PartitionSchema.HashBucketSchema;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;

/**
 * Describes a table in terms of CREATE TABLE, for DESCRIBE and SHOW CREATE TABLE. {@link NewTable}
 * would create the same table from the description.
 */
public final class TableDescription {
  /** The seed of hash dimensions that have no explicit one, such as all that SQL makes. */
  public static final int HASH_SEED = 0;

  private static final long TIMEOUT_MILLIS = 30_000;

  private TableDescription() {}

  /** The names of columns with these ids. */
  public static List<String> names(KuduTable table, List<Integer> columnIds) {
    return columnIds.stream()
        .map(id -> table.getSchema().getColumnByIndex(table.getSchema().getColumnIndex(id)))
        .map(ColumnSchema::getName)
        .toList();
  }

  /** The names of the range columns, in order; empty without range partitions. */
  public static List<String> rangeColumns(KuduTable table) {
    return names(table, table.getPartitionSchema().getRangeSchema().getColumnIds());
  }

  /** The names of the columns that determine the tablet of a row: hash columns, then others. */
  public static List<String> partitionColumns(KuduTable table) {
    PartitionSchema partitions = table.getPartitionSchema();
    List<Integer> ids = new ArrayList<>();
    partitions.getHashBucketSchemas().forEach(hash -> ids.addAll(hash.getColumnIds()));
    ids.addAll(partitions.getRangeSchema().getColumnIds());
    return names(table, ids).stream().distinct().toList();
  }

  /** Whether all rows with the same values in the columns are in one tablet. */
  public static boolean determineTablet(Collection<String> columns, KuduTable table) {
    PartitionSchema partitions = table.getPartitionSchema();
    if (!partitions.getRangesWithHashSchemas().isEmpty()) {
      return false;
    }
    for (HashBucketSchema hash : partitions.getHashBucketSchemas()) {
      if (!columns.containsAll(names(table, hash.getColumnIds()))) {
        return false;
      }
    }
    return columns.containsAll(names(table, partitions.getRangeSchema().getColumnIds()))
        || hasOneRange(table);
  }

  private static boolean hasOneRange(KuduTable table) {
    try {
      return table.getRangePartitions(TIMEOUT_MILLIS).size() <= 1;
    } catch (KuduException e) {
      throw ClusterErrors.of("The ranges of table " + table.getName() + " cannot be read", e);
    }
  }

  /** The hash dimensions. */
  public static Transform[] partitioning(KuduTable table) {
    return table.getPartitionSchema().getHashBucketSchemas().stream()
        .map(level -> bucket(table, level))
        .toArray(Transform[]::new);
  }

  private static Transform bucket(KuduTable table, HashBucketSchema level) {
    return Expressions.bucket(
        level.getNumBuckets(),
        names(table, level.getColumnIds()).stream()
            .map(TableDescription::quoted)
            .toArray(String[]::new));
  }

  /**
   * The primary key. Spark does not enforce it but may rely on it, since the servers enforce it.
   */
  public static Constraint[] constraints(KuduTable table) {
    NamedReference[] key =
        table.getSchema().getPrimaryKeyColumns().stream()
            .map(column -> Expressions.column(quoted(column.getName())))
            .toArray(NamedReference[]::new);
    return new Constraint[] {
      Constraint.primaryKey("primary_key", key)
          .enforced(false)
          .rely(true)
          .validationStatus(Constraint.ValidationStatus.VALID)
          .build()
    };
  }

  /** The name of a column in a form that Spark parses. */
  public static String quoted(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : NameList.quoted(name);
  }

  /** All attributes that have no SQL clause. Asks the master for the ranges. */
  public static Map<String, String> properties(KuduTable table) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(TableCatalog.PROP_PROVIDER, "kudu");
    if (!table.getOwner().isEmpty()) {
      properties.put(TableCatalog.PROP_OWNER, table.getOwner());
    }
    if (!table.getComment().isEmpty()) {
      properties.put(TableCatalog.PROP_COMMENT, table.getComment());
    }
    properties.put(TableProperties.NUM_REPLICAS, Integer.toString(table.getNumReplicas()));
    addRanges(table, properties);
    table.getSchema().getColumns().forEach(column -> addColumn(column, properties));
    properties.putAll(table.getExtraConfig());
    return properties;
  }

  private static void addRanges(KuduTable table, Map<String, String> properties) {
    List<String> columns = rangeColumns(table);
    if (columns.isEmpty()) {
      return;
    }
    properties.put(TableProperties.RANGE_COLUMNS, NameList.text(columns));
    try {
      properties.put(
          TableProperties.RANGE_PARTITIONS,
          table.getRangePartitions(TIMEOUT_MILLIS).stream()
              .map(range -> table.formatRange(range) + ownHashing(table, range))
              .collect(Collectors.joining("; ")));
    } catch (KuduException e) {
      throw ClusterErrors.of("The ranges of table " + table.getName() + " are unknown", e);
    }
  }

  /**
   * The hash schema of a range in the format of {@link RangeReader}; empty if it is the table's.
   */
  private static String ownHashing(KuduTable table, Partition range) {
    List<HashBucketSchema> hashing = table.getHashSchema(range);
    if (hashing.equals(table.getPartitionSchema().getHashBucketSchemas())) {
      return "";
    }
    return hashing.stream()
        .map(
            level ->
                names(table, level.getColumnIds()).stream()
                    .map(TableDescription::quoted)
                    .collect(
                        Collectors.joining(
                            ", ", " HASH (", ") PARTITIONS " + level.getNumBuckets())))
        .collect(Collectors.joining());
  }

  private static void addColumn(ColumnSchema column, Map<String, String> properties) {
    String prefix = TableProperties.COLUMN + column.getName();
    if (column.getEncoding() != null
        && column.getEncoding() != ColumnSchema.Encoding.AUTO_ENCODING) {
      properties.put(prefix + TableProperties.ENCODING, TableProperties.text(column.getEncoding()));
    }
    if (column.getCompressionAlgorithm() != null
        && column.getCompressionAlgorithm()
            != ColumnSchema.CompressionAlgorithm.DEFAULT_COMPRESSION) {
      properties.put(
          prefix + TableProperties.COMPRESSION,
          TableProperties.text(column.getCompressionAlgorithm()));
    }
    if (column.getDesiredBlockSize() > 0) {
      properties.put(
          prefix + TableProperties.BLOCK_SIZE, Integer.toString(column.getDesiredBlockSize()));
    }
  }
}
