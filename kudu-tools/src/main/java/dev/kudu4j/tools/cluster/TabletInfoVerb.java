package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the table to which each given tablet belongs, and the locations of its replicas. */
@Command(
    name = "info",
    description =
        "Prints the table of each tablet, and the locations of its replicas according"
            + " to the master.",
    footer = {
      "  kudu tablet info 0123456789abcdef0123456789abcdef",
      "  kudu tablet info 127.0.0.1:7051 TABLET,TABLET --format=json"
    })
final class TabletInfoVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLET[,TABLET]",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  private record Located(TableState table, TableState.TabletState tablet) {}

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLET[,TABLET]");
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      Map<String, Located> wanted = locate(List.of(target.argument(0).split(",")), calls);
      Map<String, HostPortPB> addresses = addresses(calls);
      try (ListPrinter list =
          format.open(
              ListColumn.texts(
                  "ID", "Table Name", "Tablet Server UUID", "Host", "Port", "Is Leader"),
              out())) {
        wanted.values().forEach(located -> print(located, addresses, list));
      }
    }
    return DONE;
  }

  private static Map<String, Located> locate(List<String> tablets, ClusterCalls calls) {
    Map<String, Located> all = new HashMap<>();
    for (TableState table : ClusterCalls.get(ClusterSurvey.tables(calls, name -> true))) {
      table.tablets().forEach(tablet -> all.put(tablet.id(), new Located(table, tablet)));
    }
    Map<String, Located> wanted = new LinkedHashMap<>();
    for (String tablet : tablets) {
      if (!all.containsKey(tablet)) {
        throw KuduException.notFound(
            "No table of %s has a tablet %s; kudu table list --list_tablets lists tablets",
            calls.masters(), tablet);
      }
      wanted.put(tablet, all.get(tablet));
    }
    return wanted;
  }

  private static Map<String, HostPortPB> addresses(ClusterCalls calls) {
    Map<String, HostPortPB> addresses = new HashMap<>();
    ClusterSurvey.registered(calls).stream()
        .filter(entry -> entry.getRegistration().getRpcAddressesCount() > 0)
        .forEach(
            entry ->
                addresses.put(
                    entry.getInstanceId().getPermanentUuid().toStringUtf8(),
                    entry.getRegistration().getRpcAddresses(0)));
    return addresses;
  }

  private static void print(Located located, Map<String, HostPortPB> addresses, ListPrinter list) {
    for (TableState.Placement replica : located.tablet().placements()) {
      HostPortPB address = addresses.get(replica.server());
      list.row(
          List.of(
              located.tablet().id(),
              located.table().name(),
              replica.server(),
              address == null ? "unknown" : address.getHost(),
              address == null ? "" : Integer.toString(address.getPort()),
              replica.leader() ? "L" : replica.voter() ? "V" : "N"));
    }
  }
}
