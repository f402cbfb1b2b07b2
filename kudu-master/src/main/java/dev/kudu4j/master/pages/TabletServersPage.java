package dev.kudu4j.master.pages;

import static j2html.TagCreator.text;

import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The tablet servers that have registered with this master. */
final class TabletServersPage {
  static final String PATH = "/tablet-servers";

  private final ServerRegistry servers;
  private final ServerLinks links;
  private final Function<String, ServerEntryPB.State> states;

  /**
   * @param states the state that an operator has given a server, by uuid; UNKNOWN for none
   */
  TabletServersPage(
      ServerRegistry servers, ServerLinks links, Function<String, ServerEntryPB.State> states) {
    this.servers = servers;
    this.links = links;
    this.states = states;
  }

  View view() {
    List<RegisteredServer> all =
        servers.all().stream()
            .sorted(
                Comparator.comparing((RegisteredServer server) -> server.rpcAddress().getHost())
                    .thenComparing(server -> server.rpcAddress().getPort()))
            .toList();
    long max = all.stream().mapToLong(RegisteredServer::load).max().orElse(0);
    return View.of(
        "Tablet servers",
        DataTable.<RegisteredServer>of("Tablet servers")
            .dense()
            .id("Address", links::server)
            .cell("State", this::state)
            .text("Location", RegisteredServer::location)
            .number("Replicas", server -> Figures.count(server.load()))
            .bar("", server -> Bars.ofWhole(server.load(), max))
            .number("Heartbeat", this::heartbeat)
            .cell("Started", TabletServersPage::started)
            .text("Version", server -> server.registration().getSoftwareVersion())
            .id("UUID", server -> text(server.uuid()))
            .whenEmpty("None has registered yet.")
            .rows(all));
  }

  private DomContent state(RegisteredServer server) {
    if (!servers.isLive(server.uuid())) {
      return Badges.bad("silent");
    }
    return switch (states.apply(server.uuid())) {
      case MAINTENANCE -> Badges.passing("maintenance");
      case DECOMMISSIONED -> Badges.passing("decommissioned");
      case UNKNOWN -> server.isQuiescing() ? Badges.passing("quiescing") : Badges.good("live");
    };
  }

  private DomContent heartbeat(RegisteredServer server) {
    return Figures.ago(TimeUnit.MILLISECONDS.toNanos(servers.millisSinceHeartbeat(server)));
  }

  private static DomContent started(RegisteredServer server) {
    return Figures.moment(TimeUnit.SECONDS.toMicros(server.registration().getStartTime()));
  }
}
