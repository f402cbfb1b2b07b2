package dev.kudu4j.spark.table;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.read.KuduScanBuilder;
import dev.kudu4j.spark.type.SparkTypes;
import dev.kudu4j.spark.write.KuduRowLevelOperationBuilder;
import dev.kudu4j.spark.write.KuduWriteBuilder;
import dev.kudu4j.spark.write.Truncation;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TruncatableTable;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table as the catalog loaded it: its schema at that time, and the time to read it at, if
 * specified. Only the driver uses it; splits and writer factories contain what tasks need.
 */
public final class KuduSparkTable
    implements SupportsRead, SupportsWrite, SupportsRowLevelOperations, TruncatableTable {
  private final String name;
  private final Connection connection;
  private final KuduTable table;
  private final KuduOptions defaults;
  private final OptionalLong snapshot;
  private Map<String, String> properties; // null until requested

  /**
   * @param name the name in Spark
   * @param defaults the catalog's options
   * @param snapshot hybrid time to read at; empty for the current time
   */
  public KuduSparkTable(
      String name,
      Connection connection,
      KuduTable table,
      KuduOptions defaults,
      OptionalLong snapshot) {
    this.name = name;
    this.connection = connection;
    this.table = table;
    this.defaults = defaults;
    this.snapshot = snapshot;
  }

  @Override
  public String name() {
    return name;
  }

  /** The table as the client opened it. */
  public KuduTable kuduTable() {
    return table;
  }

  public Connection connection() {
    return connection;
  }

  /** The hybrid time to read at; empty for the current time. */
  public OptionalLong snapshot() {
    return snapshot;
  }

  /** The options of the catalog that loaded the table. */
  public KuduOptions defaults() {
    return defaults;
  }

  /** The options of one read or write: {@code perUse} overrides the options of the catalog. */
  public KuduOptions options(CaseInsensitiveStringMap perUse) {
    return defaults.anySchema() // from format("kudu"), which created the catalog with these options
        ? defaults.with(perUse.asCaseSensitiveMap())
        : defaults.withoutPlace(name, perUse.asCaseSensitiveMap());
  }

  @Override
  public Column[] columns() {
    return SparkTypes.columns(table.getSchema());
  }

  @Override
  public Transform[] partitioning() {
    return TableDescription.partitioning(table);
  }

  @Override
  public Constraint[] constraints() {
    return TableDescription.constraints(table);
  }

  @Override
  public Map<String, String> properties() {
    if (properties == null) {
      properties = TableDescription.properties(table);
    }
    return properties;
  }

  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> capabilities =
        EnumSet.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.OVERWRITE_BY_FILTER);
    if (defaults.anySchema()) {
      capabilities.add(TableCapability.ACCEPT_ANY_SCHEMA);
    }
    return capabilities;
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap perUse) {
    return new KuduScanBuilder(this, options(perUse));
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new KuduWriteBuilder(this, info);
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return new KuduRowLevelOperationBuilder(this, info);
  }

  /** TRUNCATE TABLE, and DELETE without a condition. */
  @Override
  public boolean truncateTable() {
    Truncation.deleteAllRows(this);
    return true;
  }

  /** For Spark's messages. */
  @Override
  public String toString() {
    return name;
  }
}
