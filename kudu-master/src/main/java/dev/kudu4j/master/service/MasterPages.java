package dev.kudu4j.master.service;

import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.heartbeat.TabletServer;
import dev.kudu4j.master.heartbeat.TabletServers;
import dev.kudu4j.server.web.WebServer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What an operator sees of the catalog in a browser. */
public final class MasterPages {
  private static final String NOT_LEADING = "<p>This master does not lead, or is loading.</p>";

  private final Leadership leadership;
  private final TabletServers servers;

  public MasterPages(Leadership leadership, TabletServers servers) {
    this.leadership = leadership;
    this.servers = servers;
  }

  public List<WebServer.Page> pages() {
    return List.of(
        WebServer.Page.html("/tables", "Tables", this::tables),
        WebServer.Page.html("/tablet-servers", "Tablet servers", this::tabletServers));
  }

  private String tables() {
    Optional<Reign> reign = leadership.current();
    if (reign.isEmpty()) {
      return NOT_LEADING;
    }
    StringBuilder page =
        new StringBuilder(
            "<h1>Tables</h1><table border=1><tr><th>Name<th>Id<th>State<th>Tablets<th>In creation"
                + "<th>Replicas<th>Rows<th>Bytes on disk<th>Note</tr>");
    reign.get().catalog().tables().stream()
        .sorted(Comparator.comparing(TableInfo::name))
        .forEach(table -> row(page, table, TableSize.of(table, reign.get().statuses())));
    page.append("</table><p>Requests to tablet servers that are not done: ")
        .append(reign.get().tables().pendingTasks());
    return page.toString();
  }

  private static void row(StringBuilder page, TableInfo table, TableSize size) {
    page.append("<tr><td>")
        .append(WebServer.escape(table.name()))
        .append("<td>")
        .append(table.id())
        .append("<td>")
        .append(table.state())
        .append("<td>")
        .append(table.tablets().size())
        .append("<td>")
        .append(table.tabletsInCreation())
        .append("<td>")
        .append(table.entry().getNumReplicas())
        .append("<td>")
        .append(text(size.liveRowCount()))
        .append("<td>")
        .append(text(size.onDiskBytes()))
        .append("<td>")
        .append(WebServer.escape(table.entry().getStateMessage()));
  }

  private static String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "unknown";
  }

  private String tabletServers() {
    StringBuilder page =
        new StringBuilder(
            "<h1>Tablet servers</h1><table border=1><tr><th>Id<th>Address<th>ms since heartbeat"
                + "<th>Replicas</tr>");
    servers.all().stream()
        .sorted(Comparator.comparing(TabletServer::uuid))
        .forEach(
            server ->
                page.append("<tr><td>")
                    .append(server.uuid())
                    .append("<td>")
                    .append(
                        WebServer.escape(
                            server.rpcAddress().getHost() + ":" + server.rpcAddress().getPort()))
                    .append("<td>")
                    .append(servers.millisSinceHeartbeat(server))
                    .append("<td>")
                    .append(server.load()));
    return page.append("</table>").toString();
  }
}
