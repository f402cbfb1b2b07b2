package dev.kudu4j.spark.catalog;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.spark.type.ColumnDefaults;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.constraints.PrimaryKey;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;

/**
 * Translates CREATE TABLE of Spark: columns with the key, hash dimensions of {@code PARTITIONED BY
 * (bucket(4, a), bucket(2, b, c))}, and ranges and other properties. Unsupported features are
 * rejected before anything is created; the message names an alternative.
 */
public final class NewTable {
  private final String name;
  private final Schema schema;
  private final CreateTableOptions options;

  private NewTable(String name, Schema schema, CreateTableOptions options) {
    this.name = name;
    this.schema = schema;
    this.options = options;
  }

  /**
   * @param name the name in Kudu
   * @throws IllegalArgumentException for unsupported features
   */
  public static NewTable of(
      String name,
      Column[] columns,
      Transform[] partitions,
      Map<String, String> properties,
      Constraint[] constraints) {
    checkProvider(name, properties);
    List<String> key = key(name, constraints, properties);
    Schema schema = schema(name, columns, key, properties);
    CreateTableOptions options = new CreateTableOptions();
    boolean hashed = addHashing(name, partitions, options);
    boolean ranged = addRanges(schema, properties, options);
    if (!hashed || ranged) {
      options.setRangePartitionColumns(rangeColumns(properties));
    }
    addRest(properties, options);
    return new NewTable(name, schema, options);
  }

  public String name() {
    return name;
  }

  public Schema schema() {
    return schema;
  }

  public CreateTableOptions options() {
    return options;
  }

  private static void checkProvider(String name, Map<String, String> properties) {
    String provider = properties.get(TableCatalog.PROP_PROVIDER);
    if (provider != null && !provider.equalsIgnoreCase("kudu")) {
      throw new IllegalArgumentException(
          "Table "
              + name
              + " cannot be of "
              + provider
              + ": this catalog supports only kudu tables; omit USING");
    }
    if (properties.containsKey(TableCatalog.PROP_LOCATION)) {
      throw new IllegalArgumentException(
          "Table " + name + " cannot have a LOCATION: Kudu's servers store it; omit LOCATION");
    }
  }

  // ---------------------------------------------------------------- columns

  private static List<String> key(
      String name, Constraint[] constraints, Map<String, String> properties) {
    List<String> key = names(TableProperties.PRIMARY_KEY, properties);
    for (Constraint constraint : constraints) {
      if (!(constraint instanceof PrimaryKey primaryKey)) {
        throw new IllegalArgumentException(
            "Table "
                + name
                + " cannot have "
                + constraint.toDDL()
                + ": Kudu supports only PRIMARY KEY");
      }
      List<String> columns = Arrays.stream(primaryKey.columns()).map(NewTable::columnName).toList();
      if (!key.isEmpty() && !key.equals(columns)) {
        throw new IllegalArgumentException(
            "Table "
                + name
                + " has two primary keys, "
                + columns
                + " and "
                + key
                + " in a property; remove one of them");
      }
      key = columns;
    }
    if (key.isEmpty()) {
      throw new IllegalArgumentException(
          "Table "
              + name
              + " needs a primary key: add PRIMARY KEY (columns) to the columns,"
              + " or TBLPROPERTIES ('"
              + TableProperties.PRIMARY_KEY
              + "' = 'columns')");
    }
    return key;
  }

  private static String columnName(NamedReference reference) {
    return String.join(".", reference.fieldNames());
  }

  private static Schema schema(
      String name, Column[] columns, List<String> key, Map<String, String> properties) {
    List<String> names = Arrays.stream(columns).map(Column::name).toList();
    for (int i = 0; i < key.size(); i++) {
      if (!names.contains(key.get(i))) {
        throw new IllegalArgumentException(
            "Table " + name + " has no column " + key.get(i) + ", which is in its primary key");
      }
      if (!names.get(i).equals(key.get(i))) {
        throw new IllegalArgumentException(
            "Table "
                + name
                + " must start with the columns of its primary key, "
                + key
                + ", in that order, but column "
                + (i + 1)
                + " is "
                + names.get(i)
                + "; Kudu requires the key columns first");
      }
    }
    List<ColumnSchema> made = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      made.add(column(columns[i], i < key.size(), properties));
    }
    checkColumnProperties(name, names, properties);
    return new Schema(made);
  }

  private static ColumnSchema column(Column column, boolean key, Map<String, String> properties) {
    if (column.generationExpression() != null || column.identityColumnSpec() != null) {
      throw new IllegalArgumentException(
          "Column " + column.name() + " cannot be generated: Kudu supports only stored values");
    }
    ColumnSchema.ColumnSchemaBuilder made =
        SparkTypes.kuduColumn(column.name(), column.dataType())
            .key(key)
            .nullable(!key && column.nullable());
    if (column.comment() != null) {
      made.comment(column.comment());
    }
    String prefix = TableProperties.COLUMN + column.name();
    String encoding = properties.get(prefix + TableProperties.ENCODING);
    if (encoding != null) {
      made.encoding(TableProperties.encoding(prefix + TableProperties.ENCODING, encoding));
    }
    String compression = properties.get(prefix + TableProperties.COMPRESSION);
    if (compression != null) {
      made.compressionAlgorithm(
          TableProperties.compression(prefix + TableProperties.COMPRESSION, compression));
    }
    String blockSize = properties.get(prefix + TableProperties.BLOCK_SIZE);
    if (blockSize != null) {
      made.desiredBlockSize(
          TableProperties.blockSize(prefix + TableProperties.BLOCK_SIZE, blockSize));
    }
    if (column.defaultValue() != null) {
      made.defaultValue(
          ColumnDefaults.value(
              made.build(), column.defaultValue().getSql(), column.defaultValue().getValue()));
    }
    return made.build();
  }

  private static void checkColumnProperties(
      String name, List<String> names, Map<String, String> properties) {
    for (String property : properties.keySet()) {
      TableProperties.OfColumn of = TableProperties.OfColumn.of(property);
      if (of != null && !names.contains(of.column())) {
        throw new IllegalArgumentException(
            "Table "
                + name
                + " has no column "
                + of.column()
                + ", which property "
                + property
                + " names");
      }
    }
  }

  // ---------------------------------------------------------------- partitions

  private static boolean addHashing(
      String name, Transform[] partitions, CreateTableOptions options) {
    for (Transform transform : partitions) {
      Expression[] arguments = transform.arguments();
      if (!transform.name().equals("bucket")
          || arguments.length < 2
          || !(arguments[0] instanceof Literal<?> count)
          || !(count.value() instanceof Integer buckets)) {
        throw new IllegalArgumentException(
            "Table "
                + name
                + " cannot be partitioned by "
                + transform.describe()
                + "; use bucket(n, columns) for hash partitions, and the properties "
                + TableProperties.RANGE_COLUMNS
                + " and "
                + TableProperties.RANGE_PARTITIONS
                + " for ranges");
      }
      options.addHashPartitions(
          Arrays.stream(transform.references()).map(NewTable::columnName).toList(), buckets);
    }
    return partitions.length > 0;
  }

  private static boolean addRanges(
      Schema schema, Map<String, String> properties, CreateTableOptions options) {
    List<String> columns = rangeColumns(properties);
    String ranges = properties.get(TableProperties.RANGE_PARTITIONS);
    if (columns.isEmpty()) {
      if (ranges != null) {
        throw new IllegalArgumentException(
            "Property "
                + TableProperties.RANGE_PARTITIONS
                + " needs property "
                + TableProperties.RANGE_COLUMNS
                + ", with the range columns");
      }
      return false;
    }
    for (String column : columns) {
      if (!schema.hasColumn(column) || !schema.getColumn(column).isKey()) {
        throw new IllegalArgumentException(
            "Property "
                + TableProperties.RANGE_COLUMNS
                + " names "
                + column
                + ", which is not a column of the primary key");
      }
    }
    if (ranges != null) {
      RangeReader.read(schema, columns, ranges).forEach(range -> range.addTo(options));
    }
    return true;
  }

  private static List<String> rangeColumns(Map<String, String> properties) {
    return names(TableProperties.RANGE_COLUMNS, properties);
  }

  private static List<String> names(String property, Map<String, String> properties) {
    try {
      return NameList.parse(properties.getOrDefault(property, ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Property " + property + ": " + e.getMessage(), e);
    }
  }

  // ---------------------------------------------------------------- other properties

  private static void addRest(Map<String, String> properties, CreateTableOptions options) {
    Map<String, String> servers = new HashMap<>();
    properties.forEach(
        (property, value) -> {
          switch (property) {
            case TableCatalog.PROP_COMMENT -> options.setComment(value);
            case TableCatalog.PROP_OWNER -> options.setOwner(value);
            case TableProperties.NUM_REPLICAS ->
                options.setNumReplicas(TableProperties.positive(property, value));
            case TableProperties.PRIMARY_KEY,
                TableProperties.RANGE_COLUMNS,
                TableProperties.RANGE_PARTITIONS -> {}
            default -> {
              if (TableProperties.isOfServers(property)) {
                servers.put(property, value);
              } else if (!TableProperties.OF_SPARK.contains(property)
                  && !property.startsWith(TableCatalog.OPTION_PREFIX)
                  && TableProperties.OfColumn.of(property) == null) {
                throw TableProperties.unknown(property);
              }
            }
          }
        });
    if (!servers.isEmpty()) {
      options.setExtraConfigs(servers);
    }
  }
}
