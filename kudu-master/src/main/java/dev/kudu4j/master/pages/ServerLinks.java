package dev.kudu4j.master.pages;

import static j2html.TagCreator.a;
import static j2html.TagCreator.text;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.List;

/** Links to the web pages of servers, for those that have registered them. */
final class ServerLinks {
  private final ServerRegistry servers;

  ServerLinks(ServerRegistry servers) {
    this.servers = servers;
  }

  /** The server by its RPC address, leading to its first page. */
  DomContent server(RegisteredServer server) {
    return link(server, "/");
  }

  /** The server by its RPC address, leading to the tablet there; its uuid if it is not known. */
  DomContent tablet(String serverUuid, String tabletId) {
    RegisteredServer server = servers.get(serverUuid);
    return server == null
        ? text(serverUuid)
        : link(server, "/tablet?id=" + Slice.encoded(tabletId));
  }

  private static DomContent link(RegisteredServer server, String path) {
    return link(
        addressText(server.rpcAddress()), server.registration().getHttpAddressesList(), path);
  }

  /**
   * A name that leads to a server's page.
   *
   * @param http where the server's pages are; without one the name leads nowhere
   */
  static DomContent link(String name, List<HostPortPB> http, String path) {
    return http.isEmpty()
        ? text(name)
        : a(name).withHref("http://" + addressText(http.get(0)) + path);
  }

  static String addressText(HostPortPB address) {
    return address.getHost() + ":" + address.getPort();
  }
}
