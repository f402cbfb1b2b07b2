package dev.kudu4j.spark.catalog;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.type.ColumnDefaults;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.DefaultValue;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;

/**
 * Translates ALTER TABLE of Spark: all changes become one request, which is atomic. Unsupported
 * changes are rejected before anything is sent.
 */
public final class TableAlteration {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final KuduTable table;
  private final AlterTableOptions options = new AlterTableOptions();
  private int stepCount;

  private TableAlteration(KuduTable table) {
    this.table = table;
  }

  /**
   * @return empty if the table is already as it should be
   * @throws IllegalArgumentException for an unsupported change
   */
  public static Optional<AlterTableOptions> of(KuduTable table, TableChange... changes) {
    TableAlteration alteration = new TableAlteration(table);
    for (TableChange change : changes) {
      alteration.addStep(change);
    }
    return alteration.stepCount == 0 ? Optional.empty() : Optional.of(alteration.options);
  }

  private void addStep(TableChange change) {
    if (change instanceof TableChange.SetProperty property
        && property.property().equals(TableProperties.ADD_ABSENT_RANGE_PARTITIONS)) {
      ranges(property.value()).stream().filter(range -> !exists(range)).forEach(this::addRange);
    } else if (change instanceof TableChange.SetProperty property
        && property.property().equals(TableProperties.DROP_PRESENT_RANGE_PARTITIONS)) {
      ranges(property.value()).stream().filter(this::exists).forEach(this::dropRange);
    } else {
      add(change);
      stepCount++;
    }
  }

  private void add(TableChange change) {
    if (change instanceof TableChange.ColumnChange column && column.fieldNames().length > 1) {
      throw refusal("change " + String.join(".", column.fieldNames()), "columns have no fields");
    }
    if (change instanceof TableChange.SetProperty property) {
      setProperty(property.property(), property.value());
    } else if (change instanceof TableChange.RemoveProperty property) {
      removeProperty(property.property());
    } else if (change instanceof TableChange.AddColumn column) {
      addColumn(column);
    } else if (change instanceof TableChange.RenameColumn column) {
      options.renameColumn(existing(column.fieldNames()).getName(), column.newName());
    } else if (change instanceof TableChange.DeleteColumn column) {
      dropColumn(column);
    } else if (change instanceof TableChange.UpdateColumnComment column) {
      String comment = column.newComment() == null ? "" : column.newComment();
      options.changeComment(existing(column.fieldNames()).getName(), comment);
    } else if (change instanceof TableChange.UpdateColumnDefaultValue column) {
      changeDefault(column);
    } else {
      throw unsupported(change);
    }
  }

  private IllegalArgumentException unsupported(TableChange change) {
    if (change instanceof TableChange.UpdateColumnType type) {
      return refusal(
          "change the type of column " + type.fieldNames()[0],
          "the type cannot be changed; add a column of the new type, and UPDATE it from"
              + " the old one");
    } else if (change instanceof TableChange.UpdateColumnNullability column) {
      return refusal(
          "change whether column " + column.fieldNames()[0] + " is nullable",
          "this cannot be changed; add another column, and UPDATE it from the old one");
    } else if (change instanceof TableChange.UpdateColumnPosition column) {
      return refusal(
          "move column " + column.fieldNames()[0],
          "new columns are always last; SELECT them in the order you need");
    }
    return refusal(
        "do " + change.getClass().getSimpleName(),
        "columns, comments, defaults and properties can be changed");
  }

  private IllegalArgumentException refusal(String what, String reason) {
    return new IllegalArgumentException(
        "Table " + table.getName() + ": cannot " + what + ": " + reason);
  }

  private ColumnSchema existing(String[] fieldNames) {
    String name = fieldNames[0];
    return table.getSchema().getColumns().stream()
        .filter(column -> column.getName().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> refusal("change column " + name, "the column does not exist"));
  }

  // ---------------------------------------------------------------- columns

  private void addColumn(TableChange.AddColumn column) {
    String name = column.fieldNames()[0];
    if (column.position() != null) {
      throw refusal(
          "add column " + name + " " + column.position(),
          "new columns are always last; omit the position");
    }
    ColumnSchema.ColumnSchemaBuilder made =
        SparkTypes.kuduColumn(name, column.dataType()).nullable(column.isNullable());
    if (column.comment() != null) {
      made.comment(column.comment());
    }
    if (column.defaultValue() != null) {
      made.defaultValue(
          ColumnDefaults.value(
              made.build(), column.defaultValue().getSql(), column.defaultValue().getValue()));
    } else if (!column.isNullable()) {
      throw refusal(
          "add column " + name + " NOT NULL without a DEFAULT", "the existing rows need a default");
    }
    options.addColumn(made.build());
  }

  private void dropColumn(TableChange.DeleteColumn column) {
    String name = column.fieldNames()[0];
    if (Boolean.TRUE.equals(column.ifExists()) && !table.getSchema().hasColumn(name)) {
      return;
    }
    ColumnSchema existing = existing(column.fieldNames());
    if (existing.isKey()) {
      throw refusal("drop column " + name, "it is part of the primary key");
    }
    options.dropColumn(existing.getName());
  }

  private void changeDefault(TableChange.UpdateColumnDefaultValue change) {
    ColumnSchema column = existing(change.fieldNames());
    DefaultValue wanted = change.newCurrentDefault();
    if (wanted == null || (wanted.getExpression() == null && wanted.getSql().isEmpty())) {
      options.removeDefault(column.getName());
      return;
    }
    Object value = ColumnDefaults.value(column, wanted.getSql(), wanted.getExpression());
    options.changeDefault(column.getName(), ColumnDefaults.cell(column, value));
  }

  // ---------------------------------------------------------------- properties

  private void setProperty(String property, String value) {
    switch (property) {
      case TableCatalog.PROP_COMMENT -> options.setComment(value);
      case TableCatalog.PROP_OWNER -> options.setOwner(value);
      case TableProperties.ADD_RANGE_PARTITIONS -> ranges(value).forEach(this::addRange);
      case TableProperties.DROP_RANGE_PARTITIONS -> ranges(value).forEach(this::dropRange);
      case TableProperties.PRIMARY_KEY,
          TableProperties.NUM_REPLICAS,
          TableProperties.RANGE_COLUMNS ->
          throw refusal("set " + property, "it is set when a table is created");
      case TableProperties.RANGE_PARTITIONS ->
          throw refusal(
              "set " + property,
              "set "
                  + TableProperties.ADD_RANGE_PARTITIONS
                  + " or "
                  + TableProperties.DROP_RANGE_PARTITIONS);
      default -> setOther(property, value);
    }
  }

  private void setOther(String property, String value) {
    TableProperties.OfColumn of = TableProperties.OfColumn.of(property);
    if (of != null) {
      String column = existing(new String[] {of.column()}).getName();
      switch (of.kind()) {
        case TableProperties.ENCODING ->
            options.changeEncoding(column, TableProperties.encoding(property, value));
        case TableProperties.COMPRESSION ->
            options.changeCompressionAlgorithm(
                column, TableProperties.compression(property, value));
        default ->
            options.changeDesiredBlockSize(column, TableProperties.blockSize(property, value));
      }
    } else if (TableProperties.isOfServers(property)) {
      options.alterExtraConfigs(Map.of(property, value));
    } else {
      throw TableProperties.unknown(property);
    }
  }

  private void removeProperty(String property) {
    if (property.equals(TableCatalog.PROP_COMMENT)) {
      options.setComment("");
    } else if (TableProperties.isOfServers(property)) {
      options.alterExtraConfigs(Map.of(property, ""));
    } else {
      throw refusal("unset " + property, "it is not stored as a property");
    }
  }

  // ---------------------------------------------------------------- ranges

  private void addRange(NewRange range) {
    range.addTo(options);
    stepCount++;
  }

  private void dropRange(NewRange range) {
    if (range.hasOwnHashing()) {
      throw refusal("drop a range with HASH", "write only the bounds of the range");
    }
    options.dropRangePartition(range.lower(), range.upper(), range.lowerType(), range.upperType());
    stepCount++;
  }

  private boolean exists(NewRange range) {
    try {
      return table.hasRangePartition(range.bounds(), TIMEOUT_MILLIS);
    } catch (KuduException e) {
      throw ClusterErrors.of("The ranges of table " + table.getName() + " are unknown", e);
    }
  }

  private List<NewRange> ranges(String text) {
    List<String> columns = TableDescription.rangeColumns(table);
    if (columns.isEmpty()) {
      throw refusal("change ranges", "it is not range partitioned");
    }
    return RangeReader.read(table.getSchema(), columns, text);
  }
}
