package dev.kudu4j.spark.catalog;

import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/**
 * The names of the supported table properties. Attributes with an SQL clause (buckets, comments,
 * defaults) have no property. The key is an exception, for clients that cannot write the PRIMARY
 * KEY clause.
 */
public final class TableProperties {
  /** Key columns, a {@link NameList}; an alternative to the PRIMARY KEY clause. */
  public static final String PRIMARY_KEY = "primary-key";

  /** Number of replicas of each tablet. */
  public static final String NUM_REPLICAS = "num-replicas";

  /** Range columns, a {@link NameList}. */
  public static final String RANGE_COLUMNS = "range-columns";

  /** The ranges, in the format of {@link RangeReader}. */
  public static final String RANGE_PARTITIONS = "range-partitions";

  /** Ranges that ALTER TABLE adds. */
  public static final String ADD_RANGE_PARTITIONS = "add-range-partitions";

  /** Like {@link #ADD_RANGE_PARTITIONS}, without those that the table has. */
  public static final String ADD_ABSENT_RANGE_PARTITIONS = "add-range-partitions-if-not-exists";

  /** Ranges that ALTER TABLE drops, with their rows. */
  public static final String DROP_RANGE_PARTITIONS = "drop-range-partitions";

  /** Like {@link #DROP_RANGE_PARTITIONS}, without those that the table does not have. */
  public static final String DROP_PRESENT_RANGE_PARTITIONS = "drop-range-partitions-if-exists";

  /** Prefix of the properties of a column: column.NAME.KIND. */
  public static final String COLUMN = "column.";

  public static final String ENCODING = ".encoding";
  public static final String COMPRESSION = ".compression";
  public static final String BLOCK_SIZE = ".block-size";

  /** Prefix of properties that are passed to the servers. */
  private static final String SERVERS = "kudu.table.";

  /** Prefix of indexes, which are passed to the servers, too. */
  private static final String INDEXES = "kudu4j.index.";

  /** Whether the property is one of the servers' extra configuration. */
  static boolean isOfServers(String property) {
    return property.startsWith(SERVERS) || property.startsWith(INDEXES);
  }

  /** Properties that Spark adds by itself. */
  static final Set<String> OF_SPARK =
      Set.of(
          TableCatalog.PROP_PROVIDER,
          TableCatalog.PROP_COMMENT,
          TableCatalog.PROP_OWNER,
          TableCatalog.PROP_LOCATION,
          TableCatalog.PROP_IS_MANAGED_LOCATION,
          TableCatalog.PROP_EXTERNAL,
          TableCatalog.PROP_TABLE_TYPE);

  private static final String SUFFIX = "_ENCODING";

  private TableProperties() {}

  /** A property of a column. */
  record OfColumn(String column, String kind) {
    /**
     * @return null for a property that does not belong to a column
     */
    static OfColumn of(String property) {
      if (property.startsWith(COLUMN)) {
        for (String kind : new String[] {ENCODING, COMPRESSION, BLOCK_SIZE}) {
          if (property.endsWith(kind) && property.length() > COLUMN.length() + kind.length()) {
            return new OfColumn(
                property.substring(COLUMN.length(), property.length() - kind.length()), kind);
          }
        }
      }
      return null;
    }
  }

  static Encoding encoding(String property, String value) {
    String name = value.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    for (Encoding encoding : Encoding.values()) {
      if (isWanted(encoding)
          && (encoding.name().equals(name) || encoding.name().equals(name + SUFFIX))) {
        return encoding;
      }
    }
    throw new IllegalArgumentException(
        "Property "
            + property
            + " is '"
            + value
            + "', but must be one of "
            + Arrays.stream(Encoding.values())
                .filter(TableProperties::isWanted)
                .map(TableProperties::text)
                .collect(Collectors.joining(", ")));
  }

  private static boolean isWanted(Encoding encoding) {
    return encoding != Encoding.UNKNOWN && encoding != Encoding.GROUP_VARINT;
  }

  static String text(Encoding encoding) {
    return encoding.name().replace(SUFFIX, "").toLowerCase(Locale.ROOT);
  }

  static CompressionAlgorithm compression(String property, String value) {
    String name = value.strip().toUpperCase(Locale.ROOT);
    for (CompressionAlgorithm algorithm : CompressionAlgorithm.values()) {
      if (algorithm != CompressionAlgorithm.UNKNOWN
          && (algorithm.name().equals(name) || text(algorithm).equalsIgnoreCase(name))) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException(
        "Property "
            + property
            + " is '"
            + value
            + "', but must be one of "
            + Arrays.stream(CompressionAlgorithm.values())
                .filter(algorithm -> algorithm != CompressionAlgorithm.UNKNOWN)
                .map(TableProperties::text)
                .collect(Collectors.joining(", ")));
  }

  static String text(CompressionAlgorithm algorithm) {
    return switch (algorithm) {
      case DEFAULT_COMPRESSION -> "default";
      case NO_COMPRESSION -> "none";
      default -> algorithm.name().toLowerCase(Locale.ROOT);
    };
  }

  static int blockSize(String property, String value) {
    return positive(property, value);
  }

  static int positive(String property, String value) {
    try {
      int number = Integer.parseInt(value.strip());
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the exception is thrown below
    }
    throw new IllegalArgumentException(
        "Property " + property + " is '" + value + "', but must be an integer above 0");
  }

  static IllegalArgumentException unknown(String property) {
    return new IllegalArgumentException(
        "Property "
            + property
            + " is not supported by Kudu; supported are "
            + String.join(
                ", ",
                PRIMARY_KEY,
                NUM_REPLICAS,
                RANGE_COLUMNS,
                RANGE_PARTITIONS,
                ADD_RANGE_PARTITIONS,
                ADD_ABSENT_RANGE_PARTITIONS,
                DROP_RANGE_PARTITIONS,
                DROP_PRESENT_RANGE_PARTITIONS)
            + ", "
            + COLUMN
            + "NAME"
            + ENCODING
            + ", "
            + COLUMN
            + "NAME"
            + COMPRESSION
            + ", "
            + COLUMN
            + "NAME"
            + BLOCK_SIZE
            + ", and the servers' own, "
            + SERVERS
            + "... and "
            + INDEXES
            + "NAME");
  }
}
