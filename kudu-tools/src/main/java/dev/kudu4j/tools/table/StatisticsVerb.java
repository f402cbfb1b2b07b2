package dev.kudu4j.tools.table;

import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints size and row count of a table. */
@Command(
    name = "statistics",
    description = {
      "Prints the size on disk and the number of live rows, as the tablet servers"
          + " last reported them.",
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
                  .build(),
              GetTableStatisticsResponsePB.parser());
      say("TABLE " + name);
      say("on disk size: " + known(statistics.hasOnDiskSize(), statistics.getOnDiskSize()));
      say("live row count: " + known(statistics.hasLiveRowCount(), statistics.getLiveRowCount()));
    }
    return DONE;
  }

  private static String known(boolean known, long value) {
    return known ? Long.toString(value) : "N/A";
  }
}
