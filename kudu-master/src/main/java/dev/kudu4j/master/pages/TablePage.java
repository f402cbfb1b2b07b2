package dev.kudu4j.master.pages;

import static j2html.TagCreator.each;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.li;
import static j2html.TagCreator.text;
import static j2html.TagCreator.ul;

import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.PartitionText;
import dev.kudu4j.common.partition.PartitioningText;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.observed.TabletStatus;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.tables.PartitioningRecord;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.SchemaTable;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.List;
import java.util.TreeMap;

/**
 * The page of one table: its properties, columns, indexes, partitions and the locations of its
 * tablets.
 */
final class TablePage {
  static final String PATH = "/table";

  private final LeaderSession session;
  private final ServerLinks links;
  private final boolean redacted;

  TablePage(LeaderSession session, ServerLinks links, boolean redacted) {
    this.redacted = redacted;
    this.session = session;
    this.links = links;
  }

  /** The path of the page of that table. */
  static String address(TableInfo table) {
    return PATH + "?id=" + Slice.encoded(table.id());
  }

  View view(Query query) {
    TableInfo table = session.catalog().table(query.required("id"));
    if (table == null || table.isRemoved()) {
      throw KuduException.notFound(
          "There is no table of id %s; it may have been dropped", query.required("id"));
    }
    Schema schema = SchemaWire.fromWire(table.schemaForClients());
    PartitionSchema partitioning = PartitioningRecord.read(table.entry().getPartitioning());
    Slice<TabletInfo> tablets = Slice.of(table.tablets(), query);
    return View.of(
            table.name(),
            facts(table, schema, partitioning).list(),
            h2("Columns"),
            SchemaTable.of(schema, redacted),
            IndexesTable.of(table, session),
            StatisticsTable.of(table.entry(), redacted),
            h2("Tablets"),
            tablets(schema, partitioning).rows(tablets.rows()),
            tablets.pager(address(table) + "&"))
        .below("Tables", TablesPage.PATH);
  }

  private Facts facts(TableInfo table, Schema schema, PartitionSchema partitioning) {
    TableEntryPB entry = table.entry();
    TableSize size = TableSize.of(table, session.observed());
    Facts facts =
        new Facts()
            .add("State", TablesPage.state(table))
            .add("Message", entry.getStateMessage())
            .addId("Id", table.id())
            .add("Partitioning", PartitioningText.of(partitioning, schema))
            .add("Tablets", Figures.count(table.tablets().size()))
            .add("Replicas of each", Figures.count(entry.getNumReplicas()))
            .add("Rows", TablesPage.figure(size.liveRowCount(), Figures::count))
            .add("On disk, one replica", TablesPage.figure(size.onDiskBytes(), Figures::bytes))
            .add("Owner", entry.getOwner())
            .add("Comment", entry.getComment())
            .add("Created", Figures.moment(entry.getCreateTimeMicros()))
            .add("Altered", Figures.moment(entry.getAlterTimeMicros()))
            .add("Schema version", Figures.count(table.schemaVersion()));
    new TreeMap<>(entry.getExtraConfigsMap()).forEach((name, value) -> facts.add(name, value));
    return facts;
  }

  private DataTable<TabletInfo> tablets(Schema schema, PartitionSchema partitioning) {
    return DataTable.<TabletInfo>of("Tablets")
        .prose("Partition", tablet -> partition(tablet, partitioning, schema))
        .id("Tablet", tablet -> text(tablet.id()))
        .cell("State", this::state)
        .cell("Replicas", this::replicas)
        .number("Rows", tablet -> figure(status(tablet).liveRowCount(), false))
        .number("On disk", tablet -> figure(status(tablet).onDiskBytes(), true));
  }

  private static String partition(TabletInfo tablet, PartitionSchema partitioning, Schema schema) {
    return PartitionText.of(PartitionWire.fromWire(tablet.partition()), partitioning, schema);
  }

  private TabletStatus status(TabletInfo tablet) {
    return session.observed().status(tablet.id());
  }

  private static DomContent figure(long value, boolean bytes) {
    if (value < 0) {
      return Figures.none();
    }
    return bytes ? Figures.bytes(value) : Figures.count(value);
  }

  private DomContent state(TabletInfo tablet) {
    if (!tablet.isRunning()) {
      return Badges.passing("creating");
    }
    return status(tablet).hasLeader() ? Badges.good("running") : Badges.bad("no leader");
  }

  private DomContent replicas(TabletInfo tablet) {
    List<RaftPeerPB> members = tablet.config().getPeersList();
    return ul(each(members, member -> li(replica(member, tablet)))).withClass("replicas");
  }

  private DomContent replica(RaftPeerPB member, TabletInfo tablet) {
    String server = Ids.fromWire(member.getPermanentUuid());
    boolean leads = status(tablet).isLedBy(server);
    return each(
        links.tablet(server, tablet.id()), text(" "), leads ? Badges.good("leader") : text(""));
  }
}
