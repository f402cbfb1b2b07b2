package dev.kudu4j.tools.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.Json;
import dev.kudu4j.tools.phrase.RangePhrase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Base class of verbs for range partitions. */
abstract class RangeVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE RANGE",
      arity = "2..4",
      hideParamSyntax = true,
      description = {
        Target.HELP,
        "RANGE: "
            + RangePhrase.FORM
            + "; for several columns '(1, a) <= VALUES < (2, b)'. Or, in the format of"
            + " Apache Kudu's tool, two JSON arrays: LOWER UPPER, [] for unbounded."
      })
  private List<String> arguments;

  @Option(
      names = "--lower_bound_type",
      paramLabel = "TYPE",
      defaultValue = "INCLUSIVE_BOUND",
      description = "Type of a LOWER in JSON: INCLUSIVE_BOUND, the default, or EXCLUSIVE_BOUND.")
  private String lowerBoundType;

  @Option(
      names = "--upper_bound_type",
      paramLabel = "TYPE",
      defaultValue = "EXCLUSIVE_BOUND",
      description = "Type of an UPPER in JSON: EXCLUSIVE_BOUND, the default, or INCLUSIVE_BOUND.")
  private String upperBoundType;

  abstract AlterTableOptions change(
      PartialRow lower,
      PartialRow upper,
      RangePartitionBound lowerType,
      RangePartitionBound upperType);

  /** The start of the result message; the caller appends the range. */
  abstract String done(String table);

  @Override
  public Integer call() throws IOException {
    String last = arguments.get(arguments.size() - 1).strip();
    boolean isJson = last.startsWith("[");
    Target target =
        isJson
            ? Target.of(arguments, "TABLE", "LOWER", "UPPER")
            : Target.of(arguments, "TABLE", "RANGE");
    RangePhrase range =
        isJson
            ? new RangePhrase(
                values("LOWER", target.argument(1)),
                isInclusive("--lower_bound_type", lowerBoundType),
                values("UPPER", target.argument(2)),
                isInclusive("--upper_bound_type", upperBoundType))
            : RangePhrase.parse("RANGE", target.argument(1));
    String text = isJson ? target.argument(1) + " to " + target.argument(2) : target.argument(1);
    alter(
        target,
        (table, known) -> change(range, table, known),
        done(target.argument(0)) + ": " + text);
    return DONE;
  }

  private AlterTableOptions change(RangePhrase range, KuduTable table, TableInfo known) {
    Schema schema = table.getSchema();
    List<ColumnSchema> columns =
        known.partitioning().rangeColumns(known.schema()).stream()
            .map(column -> schema.getColumn(column.name()))
            .toList();
    if (columns.isEmpty()) {
      throw KuduException.invalidArgument(
          "Table %s is not range partitioned; kudu table describe shows its partitioning",
          table.getName());
    }
    return change(
        TableDefinition.row(range.lower(), columns, schema),
        TableDefinition.row(range.upper(), columns, schema),
        TableDefinition.bound(range.lowerInclusive()),
        TableDefinition.bound(range.upperInclusive()));
  }

  private static List<String> values(String what, String text) {
    JsonNode node = Json.parse(what, text);
    if (!node.isArray()) {
      throw KuduException.invalidArgument("%s: %s is not a JSON array", what, text);
    }
    List<String> values = new ArrayList<>();
    node.forEach(value -> values.add(value.asText()));
    return values;
  }

  private static boolean isInclusive(String flag, String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "INCLUSIVE_BOUND" -> true;
      case "EXCLUSIVE_BOUND" -> false;
      default ->
          throw KuduException.invalidArgument(
              "%s=%s: must be INCLUSIVE_BOUND or EXCLUSIVE_BOUND", flag, text);
    };
  }

  /** Adds a range partition. */
  @Command(
      name = "add_range_partition",
      description = "Adds a range partition, which must not overlap an existing one.",
      footer = {
        "  kudu table add_range_partition flights '2014-01-01 <= VALUES < 2014-02-01'",
        "  kudu table add_range_partition 127.0.0.1:7051 numbers '[100]' '[200]'"
      })
  static final class Add extends RangeVerb {
    @Override
    AlterTableOptions change(
        PartialRow lower,
        PartialRow upper,
        RangePartitionBound lowerType,
        RangePartitionBound upperType) {
      return new AlterTableOptions().addRangePartition(lower, upper, lowerType, upperType);
    }

    @Override
    String done(String table) {
      return "Table " + table + " has a new range partition";
    }
  }

  /** Drops a range partition. */
  @Command(
      name = "drop_range_partition",
      description =
          "Drops a range partition and its rows; give the bounds as describe prints them.",
      footer = {
        "  kudu table drop_range_partition flights '2014-01-01 <= VALUES < 2014-02-01'",
        "  kudu table drop_range_partition 127.0.0.1:7051 numbers '[100]' '[200]'"
      })
  static final class Drop extends RangeVerb {
    @Override
    AlterTableOptions change(
        PartialRow lower,
        PartialRow upper,
        RangePartitionBound lowerType,
        RangePartitionBound upperType) {
      return new AlterTableOptions().dropRangePartition(lower, upper, lowerType, upperType);
    }

    @Override
    String done(String table) {
      return "Dropped a range partition of table " + table;
    }
  }
}
