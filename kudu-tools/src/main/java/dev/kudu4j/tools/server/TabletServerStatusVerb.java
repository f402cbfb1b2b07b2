package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a tablet server says of itself. */
@Command(
    name = "status",
    description = "Shows what a tablet server says of itself: name, addresses, version.",
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
    ServerStatusPB status = named.status(); // before the list begins, in case the call fails
    try (ListPrinter list = format.open(StatusTable.COLUMNS, out())) {
      StatusTable.printIdentity(status, list);
      StatusTable.printAddresses(status, list);
    }
    return DONE;
  }
}
