package dev.kudu4j.tools.table;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints size, row count and statistics of columns of a table. */
@Command(
    name = "statistics",
    description = {
      "Prints the size on disk and the number of live rows, as the tablet servers"
          + " last reported them.",
      "For a table that Spark's procedure analyze has read also the statistics of its columns.",
      "kudu table scan --row_count_only counts the current rows by reading them."
    },
    footer = "  kudu table statistics flights")
final class StatisticsVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLE");
    String name = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(name);
      GetTableStatisticsResponsePB statistics =
          calls.master(
              "GetTableStatistics",
              GetTableStatisticsRequestPB.newBuilder()
                  .setTable(ClusterCalls.identifier(name))
                  .setWithColumns(true)
                  .build(),
              GetTableStatisticsResponsePB.parser());
      say("TABLE " + name);
      say("on disk size: " + textIfKnown(statistics.hasOnDiskSize(), statistics.getOnDiskSize()));
      say(
          "live row count: "
              + textIfKnown(statistics.hasLiveRowCount(), statistics.getLiveRowCount()));
      if (statistics.getColumnsCount() > 0) {
        printColumns(statistics);
      }
    }
    return DONE;
  }

  private void printColumns(GetTableStatisticsResponsePB statistics) {
    Schema schema = SchemaWire.fromWire(statistics.getSchema());
    say("");
    try (ListPrinter list =
        ListFormat.pretty.open(
            List.of(
                ListColumn.text("column"),
                ListColumn.text("analyzed at"),
                ListColumn.number("rows then"),
                ListColumn.number("nulls"),
                ListColumn.number("distinct values"),
                ListColumn.text("min"),
                ListColumn.text("max")),
            out())) {
      for (ColumnStatisticsPB known : statistics.getColumnsList()) {
        ColumnSchema column = schema.column(schema.indexOfId(known.getColumnId()));
        list.row(
            List.of(
                column.name(),
                Instant.EPOCH.plus(known.getAnalyzedMicros(), ChronoUnit.MICROS).toString(),
                known.getRowCount(),
                known.getNullCount(),
                known.getDistinctCount(),
                cell(column, known.getMin()),
                cell(column, known.getMax())));
      }
    }
  }

  private static String cell(ColumnSchema column, ByteString cell) {
    return cell.isEmpty() ? "" : CellText.of(column, cell.toByteArray());
  }

  private static String textIfKnown(boolean known, long value) {
    return known ? Long.toString(value) : "N/A";
  }
}
