package dev.kudu4j.spark.table;

import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.read.KuduScanBuilder;
import dev.kudu4j.spark.read.TabletColumn;
import dev.kudu4j.spark.type.SparkTypes;
import dev.kudu4j.spark.write.KuduRowLevelOperationBuilder;
import dev.kudu4j.spark.write.KuduWriteBuilder;
import dev.kudu4j.spark.write.Truncation;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.IndexAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchIndexException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TruncatableTable;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.index.SupportsIndex;
import org.apache.spark.sql.connector.catalog.index.TableIndex;
import org.apache.spark.sql.connector.expressions.NamedReference;
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
    implements SupportsRead,
        SupportsWrite,
        SupportsRowLevelOperations,
        SupportsMetadataColumns,
        SupportsIndex,
        TruncatableTable {
  private final LoadedTable table;
  private Map<String, String> properties; // null until requested

  public KuduSparkTable(LoadedTable table) {
    this.table = table;
  }

  LoadedTable loaded() {
    return table;
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    return SparkTypes.columns(table.kuduTable().getSchema());
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return new MetadataColumn[] {new TabletColumn()};
  }

  @Override
  public Transform[] partitioning() {
    return TableDescription.partitioning(table.kuduTable());
  }

  @Override
  public Constraint[] constraints() {
    return TableDescription.constraints(table.kuduTable());
  }

  @Override
  public Map<String, String> properties() {
    if (properties == null) {
      properties = TableDescription.properties(table.kuduTable());
    }
    return properties;
  }

  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> capabilities =
        EnumSet.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.OVERWRITE_BY_FILTER);
    if (table.defaults().anySchema()) {
      capabilities.add(TableCapability.ACCEPT_ANY_SCHEMA);
    }
    return capabilities;
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap perUse) {
    return new KuduScanBuilder(table, table.options(perUse));
  }

  /**
   * Whether runtime filters may narrow scans of the table.
   *
   * @param perUse options of the scan
   */
  public boolean hasRuntimeFilters(CaseInsensitiveStringMap perUse) {
    return table.options(perUse).runtimeFilters();
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new KuduWriteBuilder(table, info);
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return new KuduRowLevelOperationBuilder(table, info);
  }

  /** TRUNCATE TABLE, and DELETE without a condition. */
  @Override
  public boolean truncateTable() {
    Truncation.deleteAllRows(table);
    return true;
  }

  @Override
  public void createIndex(
      String index,
      NamedReference[] columns,
      Map<NamedReference, Map<String, String>> ofColumns,
      Map<String, String> options)
      throws IndexAlreadyExistsException {
    new TableIndexes(table).create(index, columns, options);
  }

  @Override
  public void dropIndex(String index) throws NoSuchIndexException {
    new TableIndexes(table).drop(index);
  }

  @Override
  public boolean indexExists(String index) {
    return new TableIndexes(table).exists(index);
  }

  @Override
  public TableIndex[] listIndexes() {
    return new TableIndexes(table).list();
  }

  /** The name in Spark's messages. */
  @Override
  public String toString() {
    return table.name();
  }
}
