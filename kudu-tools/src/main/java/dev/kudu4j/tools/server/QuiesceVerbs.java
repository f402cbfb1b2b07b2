package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.console.FlagSpelling;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Removes leaders and scanners from a tablet server before it is stopped. */
@Command(
    name = "quiesce",
    description = {
      "A quiescing tablet server transfers leadership of its tablets and opens no"
          + " new scanners, so it",
      "can be stopped without effect on clients. It still serves open scanners and"
          + " other requests."
    },
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {QuiesceVerbs.Start.class, QuiesceVerbs.Stop.class, QuiesceVerbs.Status.class})
public final class QuiesceVerbs {
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";

  private static QuiesceTabletServerResponsePB quiesce(
      NamedServer server, QuiesceTabletServerRequestPB.Builder request) {
    return server.get(
        server
            .calls()
            .call(
                server.address(),
                ADMIN,
                "Quiesce",
                request.setReturnStats(true).build(),
                QuiesceTabletServerResponsePB.parser()));
  }

  private static String remainingText(QuiesceTabletServerResponsePB state) {
    return state.getNumLeaders()
        + " tablet leaders and "
        + state.getNumActiveScanners()
        + " active scanners remaining";
  }

  /** Starts quiescing. */
  @Command(
      name = "start",
      description = "Starts quiescing: the server transfers leadership and opens no new scanners.",
      footer = {
        "  kudu tserver quiesce start 127.0.0.1",
        "  until kudu tserver quiesce start 127.0.0.1 --error_if_not_fully_quiesced; do sleep 1;"
            + " done"
      })
  static final class Start extends ServerVerb {
    @Option(
        names = "--error_if_not_fully_quiesced",
        description = "Exit code 1 while the server leads a tablet or has an open scanner.")
    private boolean errorIfNotQuiesced;

    @Override
    int act(NamedServer named) {
      var state = quiesce(named, QuiesceTabletServerRequestPB.newBuilder().setQuiesce(true));
      if (errorIfNotQuiesced && state.getNumLeaders() + state.getNumActiveScanners() > 0) {
        throw KuduException.illegalState(
            "The %s is not fully quiesced: %s; repeat the command to check again",
            named, remainingText(state));
      }
      say("The " + named + " is quiescing: " + remainingText(state));
      return DONE;
    }
  }

  /** Stops quiescing. */
  @Command(
      name = "stop",
      description = "Ends quiescing.",
      footer = "  kudu tserver quiesce stop 127.0.0.1")
  static final class Stop extends ServerVerb {
    @Override
    int act(NamedServer named) {
      quiesce(named, QuiesceTabletServerRequestPB.newBuilder().setQuiesce(false));
      say("The " + named + " is not quiescing");
      return DONE;
    }
  }

  /** Prints the state of quiescing. */
  @Command(
      name = "status",
      description =
          "Shows whether the server is quiescing, with the numbers of tablets that it"
              + " leads and of open scanners.",
      footer = "  kudu tserver quiesce status 127.0.0.1 --format=json")
  static final class Status extends ServerVerb {
    private static final List<ListColumn> COLUMNS =
        List.of(
            ListColumn.text("Quiescing"),
            ListColumn.number("Tablet Leaders"),
            ListColumn.number("Active Scanners"));

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        defaultValue = "pretty",
        description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private ListFormat format;

    @Override
    int act(NamedServer named) {
      var state = quiesce(named, QuiesceTabletServerRequestPB.newBuilder());
      try (ListPrinter list = format.open(COLUMNS, out())) {
        list.row(
            List.of(state.getIsQuiescing(), state.getNumLeaders(), state.getNumActiveScanners()));
      }
      return DONE;
    }
  }
}
