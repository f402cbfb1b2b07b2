package dev.kudu4j.tools.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.connection.SimilarName;
import dev.kudu4j.tools.phrase.ColumnPhrase;
import dev.kudu4j.tools.phrase.Json;
import dev.kudu4j.tools.phrase.RangePhrase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Parses a table definition in the format of Apache Kudu's {@code kudu table create}. An error
 * contains the path to the invalid part: {@code schema.columns[2].column_type}.
 */
final class DefinitionJson {
  private final TableDefinition definition;
  private final Set<String> keys = new HashSet<>();

  private DefinitionJson(String name) {
    definition = new TableDefinition(name);
  }

  /**
   * @param what source of the text, for messages
   */
  static TableDefinition parse(String what, String text) {
    Part root = new Part("", Json.parse(what, text));
    try {
      root.allow(
          "table_name",
          "schema",
          "partition",
          "extra_configs",
          "dimension_label",
          "num_replicas",
          "owner",
          "comment");
      DefinitionJson json = new DefinitionJson(root.need("table_name").text());
      json.readSchema(root.need("schema"));
      if (root.has("partition")) {
        json.readPartition(root.get("partition"));
      }
      json.readRest(root);
      return json.definition;
    } catch (KuduException e) {
      throw new KuduException(e.code(), what + ": " + e.getMessage(), e);
    }
  }

  private void readSchema(Part schema) {
    schema.allow("columns", "key_column_names");
    for (Part key : schema.need("key_column_names").elements()) {
      keys.add(key.text());
      definition.key(key.text());
    }
    schema.need("columns").elements().forEach(column -> definition.column(column(column)));
  }

  private ColumnSchema column(Part column) {
    column.allow(
        "column_name",
        "column_type",
        "is_nullable",
        "default_value",
        "type_attributes",
        "encoding",
        "compression",
        "cfile_block_size",
        "comment",
        "is_immutable");
    String name = column.need("column_name").text();
    Type type = column.need("column_type").as(ColumnPhrase::type);
    boolean nullable =
        column.has("is_nullable") ? column.get("is_nullable").truth() : !keys.contains(name);
    ColumnSchemaBuilder builder = new ColumnSchemaBuilder(name, type).nullable(nullable);
    attributes(column, type, builder);
    if (column.has("encoding")) {
      builder.encoding(column.get("encoding").as(ColumnPhrase::encoding));
    }
    if (column.has("compression")) {
      builder.compressionAlgorithm(column.get("compression").as(ColumnPhrase::compression));
    }
    if (column.has("cfile_block_size")) {
      builder.desiredBlockSize(column.get("cfile_block_size").number());
    }
    if (column.has("comment")) {
      builder.comment(column.get("comment").text());
    }
    if (column.has("is_immutable")) {
      builder.immutable(column.get("is_immutable").truth());
    }
    ColumnSchema made = builder.build();
    if (!column.has("default_value")) {
      return made;
    }
    Object value = column.get("default_value").as(text -> CellReader.read(made, text));
    return builder.defaultValue(value).build();
  }

  private static void attributes(Part column, Type type, ColumnSchemaBuilder builder) {
    if (type != Type.DECIMAL && type != Type.VARCHAR) {
      return;
    }
    Part attributes = column.need("type_attributes");
    attributes.allow("precision", "scale", "length");
    ColumnTypeAttributesBuilder made = new ColumnTypeAttributesBuilder();
    if (type == Type.DECIMAL) {
      made.precision(attributes.need("precision").number());
      made.scale(attributes.has("scale") ? attributes.get("scale").number() : 0);
    } else {
      made.length(attributes.need("length").number());
    }
    builder.typeAttributes(made.build());
  }

  private void readPartition(Part partition) {
    partition.allow("hash_partitions", "range_partition");
    if (partition.has("hash_partitions")) {
      hashing(partition.get("hash_partitions")).forEach(definition::hash);
    }
    if (!partition.has("range_partition")) {
      return;
    }
    Part range = partition.get("range_partition");
    range.allow("columns", "range_bounds", "range_splits", "custom_hash_schema_ranges");
    if (range.has("columns")) {
      definition.rangeColumns(range.get("columns").texts());
    }
    for (Part bounds : range.elementsOf("range_bounds")) {
      definition.range(new TableDefinition.Range(bounds(bounds), List.of()));
    }
    for (Part split : range.elementsOf("range_splits")) {
      split.allow("split_values");
      definition.split(split.need("split_values").texts());
    }
    for (Part own : range.elementsOf("custom_hash_schema_ranges")) {
      own.allow("range_bounds", "hash_schema");
      definition.range(
          new TableDefinition.Range(
              bounds(own.need("range_bounds")), hashing(own.need("hash_schema"))));
    }
  }

  private static List<TableDefinition.Hash> hashing(Part dimensions) {
    List<TableDefinition.Hash> hashing = new ArrayList<>();
    for (Part dimension : dimensions.elements()) {
      dimension.allow("columns", "num_buckets", "seed");
      hashing.add(
          new TableDefinition.Hash(
              dimension.need("columns").texts(),
              dimension.need("num_buckets").number(),
              dimension.has("seed") ? dimension.get("seed").number() : 0));
    }
    return hashing;
  }

  private static RangePhrase bounds(Part bounds) {
    bounds.allow("lower_bound", "upper_bound");
    return new RangePhrase(
        values(bounds, "lower_bound"),
        isInclusive(bounds, "lower_bound", true),
        values(bounds, "upper_bound"),
        isInclusive(bounds, "upper_bound", false));
  }

  private static List<String> values(Part bounds, String side) {
    return bounds.has(side) ? bounds.get(side).need("bound_values").texts() : List.of();
  }

  private static boolean isInclusive(Part bounds, String side, boolean standard) {
    if (!bounds.has(side) || !bounds.get(side).has("bound_type")) {
      return standard;
    }
    Part type = bounds.get(side).get("bound_type");
    return switch (type.text().toLowerCase(Locale.ROOT)) {
      case "inclusive" -> true;
      case "exclusive" -> false;
      default -> throw type.bad("it must be inclusive or exclusive");
    };
  }

  private void readRest(Part root) {
    if (root.has("extra_configs")) {
      Part configs = root.get("extra_configs");
      configs.allow("configs");
      Part all = configs.need("configs");
      all.node()
          .properties()
          .forEach(each -> definition.extraConfig(each.getKey(), each.getValue().asText()));
    }
    if (root.has("num_replicas")) {
      definition.replicas(root.get("num_replicas").number());
    }
    if (root.has("owner")) {
      definition.owner(root.get("owner").text());
    }
    if (root.has("comment")) {
      definition.comment(root.get("comment").text());
    }
  }

  /** A part of the JSON, with its path. */
  private record Part(String path, JsonNode node) {
    KuduException bad(String right) {
      return KuduException.invalidArgument(
          "%s is %s; %s", path.isEmpty() ? "the whole" : path, node, right);
    }

    void allow(String... names) {
      if (!node.isObject()) {
        throw bad("it must be an object");
      }
      List<String> known = List.of(names);
      node.fieldNames()
          .forEachRemaining(
              name -> {
                if (!known.contains(name)) {
                  throw KuduException.invalidArgument(
                      "%s has an unknown member '%s'; %sthe members are %s",
                      path.isEmpty() ? "the whole" : path,
                      name,
                      SimilarName.hint(name, known),
                      String.join(", ", known));
                }
              });
    }

    boolean has(String name) {
      return node.hasNonNull(name);
    }

    Part get(String name) {
      return new Part(path.isEmpty() ? name : path + "." + name, node.get(name));
    }

    Part need(String name) {
      if (!node.isObject()) {
        throw bad("it must be an object");
      }
      if (!has(name)) {
        throw KuduException.invalidArgument(
            "%s is missing", path.isEmpty() ? name : path + "." + name);
      }
      return get(name);
    }

    List<Part> elements() {
      if (!node.isArray()) {
        throw bad("it must be an array");
      }
      List<Part> parts = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        parts.add(new Part(path + "[" + i + "]", node.get(i)));
      }
      return parts;
    }

    List<Part> elementsOf(String name) {
      return has(name) ? get(name).elements() : List.of();
    }

    List<String> texts() {
      return elements().stream().map(Part::scalar).toList();
    }

    String scalar() {
      if (!node.isValueNode() || node.isNull()) {
        throw bad("it must have a value");
      }
      return node.asText();
    }

    String text() {
      if (!node.isTextual()) {
        throw bad("it must be a string");
      }
      return node.asText();
    }

    int number() {
      if (!node.canConvertToInt() || !node.isIntegralNumber()) {
        throw bad("it must be an integer");
      }
      return node.asInt();
    }

    boolean truth() {
      if (!node.isBoolean()) {
        throw bad("it must be true or false");
      }
      return node.asBoolean();
    }

    <T> T as(java.util.function.Function<String, T> reader) {
      try {
        return reader.apply(scalar());
      } catch (KuduException e) {
        throw new KuduException(e.code(), path + ": " + e.getMessage(), e);
      }
    }
  }
}
