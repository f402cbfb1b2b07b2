package dev.kudu4j.tools.table;

import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.RangeText;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a table's schema and partitions in the format of Apache Kudu's tool. */
@Command(
    name = "describe",
    description = "Prints the columns, key, partitions, owner, replication factor and comment.",
    footer = {
      "  kudu table describe flights",
      "  kudu table describe 127.0.0.1:7051 flights --show_attributes",
      " kudu table describe flights --format=json > flights.json    (JSON for table create)"
    })
final class DescribeVerb extends ClusterVerb {
  /** The output format. */
  enum Form {
    pretty,
    json
  }

  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--show_attributes",
      description = "Adds encoding, compression and defaults (read default and write default).")
  private boolean attributes;

  @Option(names = "--show_column_comment", description = "Adds each column's comment.")
  private boolean comments;

  @Option(names = "--show_column_id", description = "Adds each column's id.")
  private boolean ids;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; json is the input format of table create.")
  private Form format;

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLE");
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      TableInfo table = TableInfo.of(target.argument(0), calls);
      say(format == Form.json ? Json.write(DefinitionWriter.document(table)) : describe(table));
    }
    return DONE;
  }

  private String describe(TableInfo table) {
    StringBuilder text = new StringBuilder("TABLE " + table.name() + " (\n");
    Schema schema = table.schema();
    for (ColumnSchema column : schema.columns()) {
      text.append("    ").append(column(column)).append(",\n");
    }
    String keys =
        schema.columns().stream()
            .filter(ColumnSchema::isKey)
            .map(ColumnSchema::name)
            .collect(Collectors.joining(", "));
    text.append("    PRIMARY KEY (").append(keys).append(")\n)\n");
    text.append(partitions(table));
    text.append("OWNER ").append(table.owner()).append('\n');
    text.append("REPLICAS ").append(table.replicationFactor()).append('\n');
    text.append("COMMENT ").append(table.comment());
    table
        .extraConfigs()
        .forEach((key, value) -> text.append("\nCONFIG ").append(key + "=" + value));
    return text.toString();
  }

  private String column(ColumnSchema column) {
    StringBuilder text = new StringBuilder();
    text.append(ids ? column.id() + ":" : "").append(column.name());
    text.append(' ').append(column.typeText());
    text.append(column.isAutoIncrementing() ? " AUTO_INCREMENTING" : "");
    text.append(column.isImmutable() ? " IMMUTABLE" : "");
    if (attributes) {
      text.append(' ').append(DefinitionWriter.encoding(column));
      text.append(' ').append(DefinitionWriter.compression(column));
      text.append(' ').append(cell(column, column.readDefault()));
      text.append(' ').append(cell(column, column.writeDefault()));
    }
    if (comments && !column.comment().isEmpty()) {
      text.append(' ').append(column.comment());
    }
    return text.toString();
  }

  private static String cell(ColumnSchema column, byte[] cell) {
    return cell == null ? "-" : CellText.of(column, cell);
  }

  private static String partitions(TableInfo table) {
    PartitionSchema partitioning = table.partitioning();
    List<String> parts = new ArrayList<>();
    for (HashDimension dimension : partitioning.hashDimensions()) {
      parts.add(hash(dimension, table.schema()));
    }
    if (partitioning.rangeColumnIds().isEmpty()) {
      return parts.isEmpty() ? "" : String.join(",\n", parts) + "\n";
    }
    List<String> ranges = new ArrayList<>();
    for (RangeBounds bounds : table.ranges()) {
      ranges.add(
          "    PARTITION "
              + RangeText.of(bounds, partitioning, table.schema())
              + ownHashing(bounds, table));
    }
    parts.add(
        "RANGE ("
            + names(partitioning.rangeColumnIds(), table.schema())
            + ") (\n"
            + String.join(",\n", ranges)
            + (ranges.isEmpty() ? ")" : "\n)"));
    return String.join(",\n", parts) + "\n";
  }

  private static String ownHashing(RangeBounds bounds, TableInfo table) {
    return table.partitioning().customRanges().stream()
        .filter(range -> range.bounds().equals(bounds))
        .map(HashedRange::hashDimensions)
        .map(
            dimensions ->
                dimensions.stream()
                    .map(dimension -> " " + hash(dimension, table.schema()))
                    .collect(Collectors.joining()))
        .findFirst()
        .orElse("");
  }

  private static String hash(HashDimension dimension, Schema schema) {
    return "HASH ("
        + names(dimension.columnIds(), schema)
        + ") PARTITIONS "
        + dimension.bucketCount()
        + (dimension.seed() == 0 ? "" : " SEED " + Integer.toUnsignedString(dimension.seed()));
  }

  private static String names(List<Integer> ids, Schema schema) {
    return ids.stream()
        .map(id -> schema.column(schema.indexOfId(id)).name())
        .collect(Collectors.joining(", "));
  }
}
