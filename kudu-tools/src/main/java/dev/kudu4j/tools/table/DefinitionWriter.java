package dev.kudu4j.tools.table;

import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.proto.common.CompressionType;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tools.table.TableDocument.BoundType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes the definition of a table as a {@link TableDocument}. */
final class DefinitionWriter {
  private final TableInfo table;

  private DefinitionWriter(TableInfo table) {
    this.table = table;
  }

  static TableDocument document(TableInfo table) {
    return new DefinitionWriter(table).document();
  }

  /** The name of the encoding in Apache Kudu's protocol. */
  static String encoding(ColumnSchema column) {
    return EncodingType.forNumber(column.encoding().wireNumber()).name();
  }

  /** The name of the compression in Apache Kudu's protocol. */
  static String compression(ColumnSchema column) {
    return CompressionType.forNumber(column.compression().wireNumber()).name();
  }

  private TableDocument document() {
    List<ColumnSchema> columns = table.schema().columns();
    return new TableDocument(
        table.name(),
        new TableDocument.SchemaPart(
            columns.stream().map(DefinitionWriter::column).toList(),
            columns.stream().filter(ColumnSchema::isKey).map(ColumnSchema::name).toList()),
        new TableDocument.Partitioning(hashing(table.partitioning().hashDimensions()), rangePart()),
        table.extraConfigs().isEmpty()
            ? null
            : new TableDocument.ExtraConfigs(table.extraConfigs()),
        null,
        table.owner(),
        table.comment(),
        table.replicationFactor());
  }

  private static TableDocument.Column column(ColumnSchema column) {
    boolean isDecimal =
        switch (column.scalarType()) {
          case DECIMAL32, DECIMAL64, DECIMAL128 -> true;
          default -> false;
        };
    return new TableDocument.Column(
        column.name(),
        isDecimal ? "DECIMAL" : column.scalarType().name(),
        attributes(column, isDecimal),
        column.isNullable(),
        encoding(column),
        compression(column),
        column.blockSizeBytes() == 0 ? null : column.blockSizeBytes(),
        column.writeDefault() == null ? null : value(column, column.writeDefault()),
        column.comment().isEmpty() ? null : column.comment(),
        column.isImmutable() ? true : null,
        column.isWithoutTimeZone() ? true : null,
        column.isArray() ? true : null);
  }

  private static TableDocument.TypeAttributes attributes(ColumnSchema column, boolean isDecimal) {
    if (isDecimal) {
      return new TableDocument.TypeAttributes(column.precision(), column.scale(), null);
    }
    return column.scalarType() == DataType.VARCHAR
        ? new TableDocument.TypeAttributes(null, null, column.length())
        : null;
  }

  private static String value(ColumnSchema column, byte[] cell) {
    return switch (column.type()) {
      case STRING, VARCHAR -> new String(cell, StandardCharsets.UTF_8);
      case BINARY -> "0x" + HexFormat.of().formatHex(cell);
      case UNIXTIME_MICROS -> Long.toString(LittleEndian.getLong(cell, 0));
      default -> CellText.of(column, cell);
    };
  }

  private TableDocument.RangePart rangePart() {
    List<String> columns = names(table.partitioning().rangeColumnIds());
    if (columns.isEmpty()) {
      return new TableDocument.RangePart(columns, null, null, null);
    }
    List<TableDocument.RangeWithHash> custom =
        table.partitioning().customRanges().stream()
            .map(
                range ->
                    new TableDocument.RangeWithHash(
                        bounds(range.bounds()), hashing(range.hashDimensions())))
            .toList();
    List<TableDocument.Bounds> plain =
        table.ranges().stream().filter(this::hasTablesHashSchema).map(this::bounds).toList();
    return new TableDocument.RangePart(columns, plain, null, custom);
  }

  private boolean hasTablesHashSchema(RangeBounds bounds) {
    return table.partitioning().customRanges().stream()
        .noneMatch(custom -> custom.bounds().equals(bounds));
  }

  private List<TableDocument.HashPart> hashing(List<HashDimension> dimensions) {
    return dimensions.stream()
        .map(
            dimension ->
                new TableDocument.HashPart(
                    names(dimension.columnIds()),
                    dimension.bucketCount(),
                    dimension.seed() == 0 ? null : dimension.seed()))
        .toList();
  }

  private List<String> names(List<Integer> columnIds) {
    return columnIds.stream()
        .map(id -> table.schema().column(table.schema().indexOfId(id)).name())
        .toList();
  }

  private TableDocument.Bounds bounds(RangeBounds bounds) {
    return new TableDocument.Bounds(
        bounds.hasLower() ? bound(BoundType.INCLUSIVE, bounds.lower()) : null,
        bounds.hasUpper() ? bound(BoundType.EXCLUSIVE, bounds.upper()) : null);
  }

  private TableDocument.Bound bound(BoundType type, byte[] key) {
    List<ColumnSchema> columns = table.partitioning().rangeColumns(table.schema());
    List<DataType> types = columns.stream().map(ColumnSchema::type).toList();
    byte[][] cells = KeyDecoder.decode(types, key);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      values.add(value(columns.get(i), cells[i]));
    }
    return new TableDocument.Bound(type, values);
  }
}
