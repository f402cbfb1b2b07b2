package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.List;
import java.util.stream.Collectors;

/** The status that every server reports, one property per line. */
final class StatusTable {
  static final List<ListColumn> COLUMNS = ListColumn.texts("property", "value");

  private StatusTable() {}

  static void printIdentity(ServerStatusPB status, ListPrinter list) {
    list.row(List.of("uuid", status.getNodeInstance().getPermanentUuid().toStringUtf8()));
  }

  static void printAddresses(ServerStatusPB status, ListPrinter list) {
    list.row(List.of("rpc addresses", text(status.getBoundRpcAddressesList())));
    list.row(List.of("http addresses", text(status.getBoundHttpAddressesList())));
    list.row(List.of("raft address", text(List.of(status.getRaftAddress()))));
    list.row(List.of("version", status.getVersionInfo().getVersionString()));
  }

  /**
   * The addresses as text; empty if the server reports none, as servers of Apache Kudu do for some
   * kinds of address.
   */
  private static String text(List<HostPortPB> addresses) {
    return addresses.stream()
        .filter(HostPortPB::hasPort)
        .map(address -> ClusterCalls.text(ClusterCalls.address(address)))
        .collect(Collectors.joining(","));
  }
}
