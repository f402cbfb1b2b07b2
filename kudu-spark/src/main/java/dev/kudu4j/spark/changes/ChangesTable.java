package dev.kudu4j.spark.changes;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table {@code t}, as the table {@code t$changes}: one row for an insertion and
 * for a deletion, two rows for an update. A table that really has such a name precedes.
 */
public final class ChangesTable implements SupportsRead {
  private static final String SUFFIX = "$changes";

  private final String name;
  private final LoadedTable table;
  private final StructType columns;

  /**
   * @param name in Spark
   * @param table whose changes they are
   */
  public ChangesTable(String name, LoadedTable table) {
    this.name = name;
    this.table = table;
    this.columns = ChangeColumns.of(table.name(), table.kuduTable().getSchema());
  }

  /** The name of the table whose changes are read under a name; empty for any other name. */
  public static Optional<String> of(String name) {
    return name.endsWith(SUFFIX) && name.length() > SUFFIX.length()
        ? Optional.of(name.substring(0, name.length() - SUFFIX.length()))
        : Optional.empty();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Column[] columns() {
    return Arrays.stream(columns.fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
  }

  /** The columns that identify a row. */
  List<String> keyColumns() {
    return table.kuduTable().getSchema().getPrimaryKeyColumns().stream()
        .map(ColumnSchema::getName)
        .toList();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap perUse) {
    return newScanBuilder(perUse, TimeBounds.NONE, Optional.empty());
  }

  /**
   * @param range outside of which a query reads nothing
   * @param whyNoStream what a stream of these changes does not have; empty if there may be one
   */
  ScanBuilder newScanBuilder(
      CaseInsensitiveStringMap perUse, TimeBounds range, Optional<String> whyNoStream) {
    return new ChangesScanBuilder(name, table, table.options(perUse), columns, range, whyNoStream);
  }

  /** The name in Spark's messages. */
  @Override
  public String toString() {
    return name;
  }
}
