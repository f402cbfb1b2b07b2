package dev.kudu4j.tools.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.proto.common.CompressionType;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes a table definition as JSON that {@link DefinitionJson} and Apache Kudu's tool can read.
 */
final class DefinitionWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final TableInfo table;

  private DefinitionWriter(TableInfo table) {
    this.table = table;
  }

  static String json(TableInfo table) {
    try {
      return new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(new DefinitionWriter(table).definition());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write the table definition", e);
    }
  }

  /** The name of the encoding on the wire, which is Apache Kudu's. */
  static String encoding(ColumnSchema column) {
    return EncodingType.forNumber(column.encoding().wireNumber()).name();
  }

  /** The name of the compression on the wire, which is Apache Kudu's. */
  static String compression(ColumnSchema column) {
    return CompressionType.forNumber(column.compression().wireNumber()).name();
  }

  private ObjectNode definition() {
    ObjectNode root = NODES.objectNode().put("table_name", table.name());
    ObjectNode schema = root.putObject("schema");
    ArrayNode columns = schema.putArray("columns");
    ArrayNode keys = schema.putArray("key_column_names");
    for (ColumnSchema column : table.schema().columns()) {
      columns.add(column(column));
      if (column.isKey()) {
        keys.add(column.name());
      }
    }
    partition(root.putObject("partition"));
    if (!table.extraConfigs().isEmpty()) {
      ObjectNode configs = root.putObject("extra_configs").putObject("configs");
      table.extraConfigs().forEach(configs::put);
    }
    root.put("owner", table.owner());
    root.put("comment", table.comment());
    return root.put("num_replicas", table.replicationFactor());
  }

  private static ObjectNode column(ColumnSchema column) {
    ObjectNode node = NODES.objectNode().put("column_name", column.name());
    switch (column.type()) {
      case DECIMAL32, DECIMAL64, DECIMAL128 -> {
        node.put("column_type", "DECIMAL");
        node.putObject("type_attributes")
            .put("precision", column.precision())
            .put("scale", column.scale());
      }
      case VARCHAR -> {
        node.put("column_type", "VARCHAR");
        node.putObject("type_attributes").put("length", column.length());
      }
      default -> node.put("column_type", column.type().name());
    }
    node.put("is_nullable", column.isNullable());
    node.put("encoding", encoding(column)).put("compression", compression(column));
    if (column.blockSizeBytes() != 0) {
      node.put("cfile_block_size", column.blockSizeBytes());
    }
    if (column.writeDefault() != null) {
      node.put("default_value", value(column, column.writeDefault()));
    }
    if (!column.comment().isEmpty()) {
      node.put("comment", column.comment());
    }
    if (column.isImmutable()) {
      node.put("is_immutable", true);
    }
    return node;
  }

  private static String value(ColumnSchema column, byte[] cell) {
    return switch (column.type()) {
      case STRING, VARCHAR -> new String(cell, StandardCharsets.UTF_8);
      case BINARY -> "0x" + HexFormat.of().formatHex(cell);
      case UNIXTIME_MICROS -> Long.toString(LittleEndian.getLong(cell, 0));
      default -> CellText.of(column, cell);
    };
  }

  private void partition(ObjectNode node) {
    if (!table.partitioning().hashDimensions().isEmpty()) {
      node.set("hash_partitions", hashing(table.partitioning().hashDimensions()));
    }
    ObjectNode range = node.putObject("range_partition");
    ArrayNode columns = range.putArray("columns");
    table.partitioning().rangeColumnIds().forEach(id -> columns.add(name(id)));
    if (columns.isEmpty()) {
      return;
    }
    ArrayNode custom = NODES.arrayNode();
    table
        .partitioning()
        .customRanges()
        .forEach(
            own -> {
              ObjectNode entry = custom.addObject();
              entry.set("range_bounds", bounds(own.bounds()));
              entry.set("hash_schema", hashing(own.hashDimensions()));
            });
    ArrayNode plain = range.putArray("range_bounds");
    for (RangeBounds bounds : table.ranges()) {
      boolean isPlain =
          table.partitioning().customRanges().stream()
              .noneMatch(own -> own.bounds().equals(bounds));
      if (isPlain) {
        plain.add(bounds(bounds));
      }
    }
    if (!custom.isEmpty()) {
      range.set("custom_hash_schema_ranges", custom);
    }
  }

  private ArrayNode hashing(List<HashDimension> dimensions) {
    ArrayNode all = NODES.arrayNode();
    for (HashDimension dimension : dimensions) {
      ObjectNode node = all.addObject();
      ArrayNode columns = node.putArray("columns");
      dimension.columnIds().forEach(id -> columns.add(name(id)));
      node.put("num_buckets", dimension.bucketCount());
      if (dimension.seed() != 0) {
        node.put("seed", dimension.seed());
      }
    }
    return all;
  }

  private String name(int id) {
    return table.schema().column(table.schema().indexOfId(id)).name();
  }

  private ObjectNode bounds(RangeBounds bounds) {
    ObjectNode node = NODES.objectNode();
    if (bounds.hasLower()) {
      node.set("lower_bound", bound("inclusive", bounds.lower()));
    }
    if (bounds.hasUpper()) {
      node.set("upper_bound", bound("exclusive", bounds.upper()));
    }
    return node;
  }

  private ObjectNode bound(String type, byte[] key) {
    List<ColumnSchema> columns = table.partitioning().rangeColumns(table.schema());
    List<DataType> types = columns.stream().map(ColumnSchema::type).toList();
    byte[][] cells = KeyDecoder.decode(types, key);
    ObjectNode node = NODES.objectNode().put("bound_type", type);
    ArrayNode values = node.putArray("bound_values");
    for (int i = 0; i < cells.length; i++) {
      values.add(value(columns.get(i), cells[i]));
    }
    return node;
  }
}
