package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ColumnChoice;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the masters or the tablet servers of a cluster. */
public abstract class ServerListVerb extends ClusterVerb {
  /** Alternative names of columns, from Apache Kudu's tool, with the names used here. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("heartbeat", "heartbeat-ms", "start-time", "started");

  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Only these columns, in this order; default: all.")
  private List<String> wanted = List.of();

  abstract List<ListColumn> columns();

  abstract void list(ClusterCalls calls, ListPrinter into);

  @Override
  public final Integer call() {
    Target target = Target.of(arguments);
    ColumnChoice columns = ColumnChoice.of(columns(), wanted, OTHER_NAMES);
    try (ClusterCalls calls = cluster().connect(target.masters());
        ListPrinter list = columns.open(format, out())) {
      list(calls, list);
    }
    return DONE;
  }

  /** Lists tablet servers. */
  @Command(
      name = "list",
      description = "Lists the tablet servers that have registered with the master.",
      footer = {
        "  kudu tserver list",
        "  kudu tserver list 127.0.0.1:7051 --columns=uuid,rpc-addresses --format=space"
      })
  public static final class TabletServers extends ServerListVerb {
    @Override
    List<ListColumn> columns() {
      return List.of(
          ListColumn.text("uuid"),
          ListColumn.text("rpc-addresses"),
          ListColumn.text("http-addresses"),
          ListColumn.number("heartbeat-ms"),
          ListColumn.text("started"),
          ListColumn.text("version"),
          ListColumn.text("location"),
          ListColumn.text("state"));
    }

    @Override
    void list(ClusterCalls calls, ListPrinter into) {
      calls
          .master(
              "ListTabletServers",
              ListTabletServersRequestPB.newBuilder().setIncludeStates(true).build(),
              ListTabletServersResponsePB.parser())
          .getServersList()
          .stream()
          .sorted(
              Comparator.comparing(
                  entry -> entry.getInstanceId().getPermanentUuid().toStringUtf8()))
          .forEach(entry -> into.row(row(entry)));
    }

    private static List<Object> row(ListTabletServersResponsePB.Entry entry) {
      var registration = entry.getRegistration();
      return Arrays.asList(
          entry.getInstanceId().getPermanentUuid().toStringUtf8(),
          registration.getRpcAddressesList().stream()
              .map(address -> ClusterCalls.text(ClusterCalls.address(address)))
              .collect(Collectors.joining(",")),
          registration.getHttpAddressesList().stream()
              .map(address -> ClusterCalls.text(ClusterCalls.address(address)))
              .collect(Collectors.joining(",")),
          entry.getMillisSinceHeartbeat(),
          registration.hasStartTime()
              ? Instant.ofEpochSecond(registration.getStartTime()).toString()
              : null,
          registration.getSoftwareVersion(),
          entry.getLocation(),
          state(entry));
    }

    private static String state(ListTabletServersResponsePB.Entry entry) {
      return entry.getDecommissioned() ? "DECOMMISSIONED" : entry.getState().name();
    }
  }

  /** Lists masters. */
  @Command(
      name = "list",
      description = "Lists the masters: those given, and those in the leader's list.",
      footer = {"  kudu master list", "  kudu master list 127.0.0.1:7051 --format=csv"})
  public static final class Masters extends ServerListVerb {
    @Override
    List<ListColumn> columns() {
      return ListColumn.texts("uuid", "rpc-addresses", "role", "status", "version");
    }

    @Override
    void list(ClusterCalls calls, ListPrinter into) {
      for (ServerState master : ClusterSurvey.masters(calls)) {
        into.row(
            List.of(
                master.uuid(),
                master.address(),
                master.role(),
                master.isHealthy() ? "HEALTHY" : master.health() + ": " + master.error(),
                master.version()));
      }
    }
  }
}
