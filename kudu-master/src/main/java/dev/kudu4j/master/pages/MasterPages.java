package dev.kudu4j.master.pages;

import static j2html.TagCreator.span;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.service.MasterGroup;
import dev.kudu4j.master.service.MasterLeadership;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Tiles;
import j2html.tags.DomContent;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** All web pages that only masters have. */
public final class MasterPages {
  private final MasterLeadership leadership;
  private final ServerRegistry servers;
  private final MasterGroup group;
  private final ServerLinks links;
  private final BooleanSupplier redacted;

  /**
   * @param redacted whether to hide cells in schemas, such as column defaults
   */
  public MasterPages(
      MasterLeadership leadership,
      ServerRegistry servers,
      MasterGroup group,
      BooleanSupplier redacted) {
    this.redacted = redacted;
    this.group = group;
    this.leadership = leadership;
    this.servers = servers;
    this.links = new ServerLinks(servers);
  }

  public List<WebPage> pages() {
    return List.of(
        WebPage.of(TablesPage.PATH, "Tables", query -> new TablesPage(session()).view(query)),
        WebPage.detail(
            TablePage.PATH,
            query -> new TablePage(session(), links, redacted.getAsBoolean()).view(query)),
        WebPage.of(
            TabletServersPage.PATH,
            "Tablet servers",
            query -> new TabletServersPage(servers, links, this::serverState).view()),
        WebPage.of(
            MastersPage.PATH,
            "Masters",
            query -> new MastersPage(group, leadership.isLeading()).view()));
  }

  private ServerEntryPB.State serverState(String uuid) {
    return leadership
        .current()
        .map(session -> session.catalog().serverState(uuid))
        .orElse(ServerEntryPB.State.UNKNOWN);
  }

  private LeaderSession session() {
    return leadership
        .current()
        .orElseThrow(
            () ->
                KuduException.serviceUnavailable(
                    "This master does not lead, or is loading the catalog; try again"));
  }

  /** Adds the most important numbers of the cluster to the home page. */
  public void addTiles(Tiles tiles) {
    Optional<LeaderSession> session = leadership.current();
    session.ifPresent(leading -> addTables(tiles, leading));
    Collection<RegisteredServer> all = servers.all();
    int live = servers.live().size();
    tiles.add(
        "tablet servers",
        Figures.count(all.size()),
        live < all.size() ? Badges.bad(all.size() - live + " silent") : Badges.good("all live"),
        TabletServersPage.PATH);
    tiles.add(
        "role",
        span(session.isPresent() ? "Leader" : leadership.isLoading() ? "Loading" : "Follower"),
        MastersPage.PATH);
  }

  private static void addTables(Tiles tiles, LeaderSession session) {
    List<TableInfo> tables = TablesPage.tablesToShow(session);
    long rows = 0;
    long bytes = 0;
    int tablets = 0;
    int creating = 0;
    for (TableInfo table : tables) {
      TableSize size = TableSize.of(table, session.observed());
      rows += size.liveRowCount().orElse(0);
      bytes += size.onDiskBytes().orElse(0);
      tablets += table.tablets().size();
      creating += table.tabletsInCreation();
    }
    DomContent state = creating > 0 ? Badges.passing(creating + " in creation") : null;
    tiles
        .add("tables", Figures.count(tables.size()), TablesPage.PATH)
        .add("tablets", Figures.count(tablets), state, TablesPage.PATH)
        .add("rows", Figures.count(rows), TablesPage.PATH)
        .add("on disk, one replica of each", Figures.bytes(bytes), TablesPage.PATH);
  }
}
