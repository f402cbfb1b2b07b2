package dev.kudu4j.master.pages;

import static j2html.TagCreator.a;
import static j2html.TagCreator.text;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.List;

/**
 * Makes links to the web pages of servers. A server that has registered no web address gets plain
 * text.
 */
final class ServerLinks {
  private final ServerRegistry servers;

  ServerLinks(ServerRegistry servers) {
    this.servers = servers;
  }

  /** The RPC address of a server, as a link to its home page. */
  DomContent server(RegisteredServer server) {
    return link(server, "/");
  }

  /**
   * The RPC address of a server, as a link to its page of the tablet; the plain uuid if the server
   * is not known.
   */
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
   * A name as a link to a page of a server.
   *
   * @param http the server's web addresses; if empty, the name is plain text
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
