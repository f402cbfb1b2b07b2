package dev.kudu4j.tools.table;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.phrase.ColumnPhrase;
import dev.kudu4j.tools.phrase.Json;
import dev.kudu4j.tools.phrase.RangePhrase;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the definition of a new table from a {@link TableDocument}. An error contains the path to
 * the invalid part: {@code schema.columns[2].column_type}.
 */
final class DefinitionReader {
  private final TableDocument document;
  private final TableDefinition definition;

  private DefinitionReader(TableDocument document) {
    this.document = document;
    this.definition = new TableDefinition(document.tableName());
  }

  /**
   * @param what source of the text, for messages
   */
  static TableDefinition parse(String what, String text) {
    TableDocument document = Json.read(what, text, TableDocument.class);
    try {
      return new DefinitionReader(document).read();
    } catch (KuduException e) {
      throw new KuduException(e.code(), what + ": " + e.getMessage(), e);
    }
  }

  /** Reads the definition from a document that this process has created. */
  static TableDefinition read(TableDocument document) {
    return new DefinitionReader(document).read();
  }

  private TableDefinition read() {
    document.schema().keyColumnNames().forEach(definition::key);
    List<TableDocument.Column> columns = document.schema().columns();
    for (int i = 0; i < columns.size(); i++) {
      definition.column(column(columns.get(i), "schema.columns[" + i + "]"));
    }
    if (document.partition() != null) {
      document.partition().hashPartitions().forEach(each -> definition.hash(hash(each)));
      if (document.partition().rangePartition() != null) {
        readRanges(document.partition().rangePartition());
      }
    }
    if (document.extraConfigs() != null) {
      document.extraConfigs().configs().forEach(definition::extraConfig);
    }
    if (document.numReplicas() != null) {
      definition.replicas(document.numReplicas());
    }
    if (document.owner() != null) {
      definition.owner(document.owner());
    }
    if (document.comment() != null) {
      definition.comment(document.comment());
    }
    return definition;
  }

  private ColumnSchema column(TableDocument.Column column, String path) {
    String name = column.columnName();
    Type type = at(path + ".column_type", ColumnPhrase::type, column.columnType());
    boolean isKey = document.schema().keyColumnNames().contains(name);
    ColumnSchemaBuilder builder =
        new ColumnSchemaBuilder(name, type)
            .nullable(column.nullable() != null ? column.nullable() : !isKey)
            .immutable(column.immutable() != null && column.immutable())
            .array(column.array() != null && column.array());
    if (type == Type.DECIMAL || type == Type.VARCHAR) {
      builder.typeAttributes(attributes(type, column.typeAttributes(), path));
    }
    if (column.withoutTimeZone() != null && column.withoutTimeZone()) {
      if (type != Type.UNIXTIME_MICROS) {
        throw KuduException.invalidArgument(
            "%s.is_without_time_zone: only UNIXTIME_MICROS can be without time zone, not %s",
            path, type.name());
      }
      builder.withoutTimeZone(true);
    }
    if (column.encoding() != null) {
      builder.encoding(at(path + ".encoding", ColumnPhrase::encoding, column.encoding()));
    }
    if (column.compression() != null) {
      builder.compressionAlgorithm(
          at(path + ".compression", ColumnPhrase::compression, column.compression()));
    }
    if (column.cfileBlockSize() != null) {
      builder.desiredBlockSize(column.cfileBlockSize());
    }
    if (column.comment() != null) {
      builder.comment(column.comment());
    }
    if (column.defaultValue() == null) {
      return builder.build();
    }
    ColumnSchema made = builder.build();
    Object value =
        at(path + ".default_value", text -> CellReader.read(made, text), column.defaultValue());
    return builder.defaultValue(value).build();
  }

  private static ColumnTypeAttributes attributes(
      Type type, TableDocument.TypeAttributes given, String path) {
    String at = path + ".type_attributes";
    TableDocument.TypeAttributes attributes = present(given, at);
    ColumnTypeAttributesBuilder made = new ColumnTypeAttributesBuilder();
    return type == Type.DECIMAL
        ? made.precision(present(attributes.precision(), at + ".precision"))
            .scale(attributes.scale() == null ? 0 : attributes.scale())
            .build()
        : made.length(present(attributes.length(), at + ".length")).build();
  }

  private static <T> T present(T member, String path) {
    if (member == null) {
      throw KuduException.invalidArgument("%s is missing", path);
    }
    return member;
  }

  private static <T> T at(String path, Function<String, T> reader, String text) {
    try {
      return reader.apply(text);
    } catch (KuduException e) {
      throw new KuduException(e.code(), path + ": " + e.getMessage(), e);
    }
  }

  private void readRanges(TableDocument.RangePart ranges) {
    if (ranges.columns() != null) {
      definition.rangeColumns(ranges.columns());
    }
    for (TableDocument.Bounds bounds : ranges.rangeBounds()) {
      definition.range(new TableDefinition.Range(range(bounds), List.of()));
    }
    ranges.rangeSplits().forEach(split -> definition.split(split.splitValues()));
    for (TableDocument.RangeWithHash range : ranges.customHashSchemaRanges()) {
      definition.range(
          new TableDefinition.Range(
              range(range.rangeBounds()),
              range.hashSchema().stream().map(DefinitionReader::hash).toList()));
    }
  }

  private static TableDefinition.Hash hash(TableDocument.HashPart hash) {
    return new TableDefinition.Hash(
        hash.columns(), hash.numBuckets(), hash.seed() == null ? 0 : hash.seed());
  }

  private static RangePhrase range(TableDocument.Bounds bounds) {
    return new RangePhrase(
        values(bounds.lowerBound()),
        isInclusive(bounds.lowerBound(), true),
        values(bounds.upperBound()),
        isInclusive(bounds.upperBound(), false));
  }

  private static List<String> values(TableDocument.Bound bound) {
    return bound == null ? List.of() : bound.boundValues();
  }

  private static boolean isInclusive(TableDocument.Bound bound, boolean standard) {
    return (bound == null || bound.boundType() == null)
        ? standard
        : bound.boundType() == TableDocument.BoundType.INCLUSIVE;
  }
}
