package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The status that a tablet server reports. */
@Command(
    name = "status",
    description = "Shows the name, addresses and version of a tablet server.",
    footer = "  kudu tserver status 127.0.0.1:7050")
public final class TabletServerStatusVerb extends ServerVerb {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  int act(NamedServer named) {
    ServerStatusPB status = named.status(); // before the list starts, in case the call fails
    try (ListPrinter list = format.open(StatusTable.COLUMNS, out())) {
      StatusTable.printIdentity(status, list);
      StatusTable.printAddresses(status, list);
    }
    return DONE;
  }
}
