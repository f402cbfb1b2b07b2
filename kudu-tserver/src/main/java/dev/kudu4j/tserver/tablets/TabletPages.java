package dev.kudu4j.tserver.tablets;

import static j2html.TagCreator.a;
import static j2html.TagCreator.button;
import static j2html.TagCreator.each;
import static j2html.TagCreator.form;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.input;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.AppliedRows;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.ConsensusView.Member;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.SchemaTable;
import dev.kudu4j.server.web.html.Slice;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.TabletStatistics;
import j2html.tags.DomContent;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The web pages of a server's tablets: the list, and one page per tablet. */
public final class TabletPages {
  static final String LIST = "/tablets";
  static final String ONE = "/tablet";

  private final TabletRegistry tablets;
  private final OtherPages others;
  private final BooleanSupplier redacted;

  /**
   * The addresses of other servers' web pages, such as {@code http://host:8051}. The calls are
   * cheap.
   */
  public interface OtherPages {
    Optional<String> master();

    Optional<String> server(String uuid);
  }

  /**
   * @param redacted whether to hide the cells in schemas
   */
  public TabletPages(TabletRegistry tablets, OtherPages others, BooleanSupplier redacted) {
    this.tablets = tablets;
    this.others = others;
    this.redacted = redacted;
  }

  public List<WebPage> pages() {
    return List.of(
        WebPage.of(LIST, "Tablets", this::list),
        WebPage.detail(ONE, this::one),
        WebPage.detail(RowSetLayoutPage.PATH, this::layout));
  }

  /** A tablet's id as a link to its page. */
  public static DomContent link(String tabletId) {
    return a(tabletId).withHref(ONE + "?id=" + Slice.encoded(tabletId));
  }

  // ---- the list of tablets

  /** A tablet with its sort keys in the list. */
  private record Row(HostedTablet tablet, String table, String partition) {
    static Row of(HostedTablet tablet) {
      if (!tablet.isOpen()) {
        Tombstone tombstone = tablet.tombstone();
        return new Row(tablet, tombstone == null ? "" : tombstone.tableName(), "");
      }
      TabletDescriptor descriptor = tablet.tablet().descriptor();
      String partition = TabletAttributes.partitionText(descriptor);
      return new Row(tablet, descriptor.tableName(), partition);
    }
  }

  private View list(Query query) {
    String wanted = query.get("table").orElse("");
    List<Row> all =
        tablets.all().stream()
            .map(Row::of)
            .filter(row -> row.table.contains(wanted))
            .sorted(
                Comparator.comparing(Row::table)
                    .thenComparing(Row::partition)
                    .thenComparing(row -> row.tablet.tabletId()))
            .toList();
    Slice<Row> shown = Slice.of(all, query);
    String address = LIST + "?" + (wanted.isEmpty() ? "" : "table=" + Slice.encoded(wanted) + "&");
    return View.of(
        "Tablets", filter(wanted), table(wanted).rows(shown.rows()), shown.pager(address));
  }

  private static DomContent filter(String wanted) {
    return form(
            input()
                .withType("search")
                .withName("table")
                .withValue(wanted)
                .withPlaceholder("Part of a table's name")
                .attr("aria-label", "Part of a table's name"),
            button("Show").withType("submit"))
        .withMethod("get")
        .withAction(LIST)
        .withClass("filter");
  }

  private static DataTable<Row> table(String wanted) {
    return DataTable.<Row>of("Tablets")
        .dense()
        .prose("Table", Row::table)
        .prose("Partition", Row::partition)
        .shortId("Tablet", row -> link(row.tablet.tabletId()))
        .cell("State", row -> state(row.tablet))
        .cell("Role", row -> role(row.tablet))
        .number("Rows", figure(tablet -> Figures.count(tablet.liveRows())))
        .number("On disk", row -> onDisk(row.tablet))
        .number("In memory", figure(TabletPages::inMemory))
        .number("Rowsets", figure(tablet -> Figures.count(tablet.rowSetCount())))
        .number("Height", figure(tablet -> Figures.decimal(tablet.averageHeight())))
        .number("Scans", row -> Figures.count(row.tablet.scans().active()))
        .whenEmpty(wanted.isEmpty() ? "None on this server." : "No table has a name like that.");
  }

  private static DomContent onDisk(HostedTablet tablet) {
    return tablet.isOpen() ? Figures.bytes(tablet.onDiskBytes()) : Figures.none();
  }

  private static DomContent inMemory(TabletStatistics tablet) {
    return Figures.bytesIfAny(tablet.memRowSetBytes() + tablet.deltaMemStoreBytes());
  }

  private static Function<Row, DomContent> figure(Function<TabletStatistics, DomContent> figure) {
    return row -> row.tablet.isOpen() ? figure.apply(row.tablet.statistics()) : Figures.none();
  }

  private static DomContent state(HostedTablet tablet) {
    CopyProgress copy = tablet.copy();
    if (copy != null) {
      return Badges.passing("COPYING " + copy.percent() + " %");
    }
    if (tablet.tombstone() != null) {
      return Badges.plain("TOMBSTONED");
    }
    TabletStatePB state = tablet.state();
    return switch (state) {
      case RUNNING -> Badges.good(state.name());
      case FAILED -> Badges.bad(state.name());
      default -> Badges.passing(state.name());
    };
  }

  private static DomContent role(HostedTablet tablet) {
    if (!tablet.isRunning()) {
      return Figures.none();
    }
    ConsensusView.Role role = tablet.replica().consensus().role();
    return role == ConsensusView.Role.LEADER ? Badges.good(role.name()) : Badges.plain(role.name());
  }

  // ---- the page of one tablet

  private View one(Query query) {
    HostedTablet tablet = findTablet(query);
    View view =
        tablet.isOpen()
            ? open(tablet)
            : View.of("Tablet " + tablet.tabletId(), state(tablet), why(tablet));
    return view.below("Tablets", LIST);
  }

  private View layout(Query query) {
    return new RowSetLayoutPage(redacted.getAsBoolean()).view(findTablet(query), query);
  }

  private HostedTablet findTablet(Query query) {
    String id = query.required("id");
    HostedTablet tablet = tablets.find(id);
    if (tablet == null) {
      throw KuduException.notFound(
          "There is no tablet %s on this server; it may have been deleted", id);
    }
    return tablet;
  }

  private static @Nullable DomContent why(HostedTablet tablet) {
    if (tablet.dataState() != TabletDataState.TABLET_DATA_READY) {
      return p(tablet.lastStatus());
    }
    Throwable cause = tablet.cause();
    return cause == null ? null : p(String.valueOf(cause.getMessage()));
  }

  private View open(HostedTablet tablet) {
    TabletDescriptor descriptor = tablet.tablet().descriptor();
    return View.of(
        "Tablet " + tablet.tabletId(),
        why(tablet),
        facts(tablet, descriptor).list(),
        h2("Replicas"),
        tablet.isRunning()
            ? members(tablet.replica().consensus())
            : p("Not known while it is stopped."),
        h2("Data here"),
        sizes(tablet).list(),
        IndexesTable.of(descriptor, tablet.statistics()),
        h2("Since the server started"),
        work(tablet).list(),
        h2("Columns"),
        SchemaTable.of(descriptor.schema(), redacted.getAsBoolean()));
  }

  private Facts facts(HostedTablet tablet, TabletDescriptor descriptor) {
    TableMaintenanceConfig config = tablet.maintenanceConfig();
    Facts facts = new Facts();
    Derivation derivation = tablet.derivation();
    if (derivation != null) {
      addIndex(facts, tablet, derivation);
    }
    return facts
        .add("State", state(tablet))
        .add("Role", role(tablet))
        .add("Table", table(descriptor))
        .addId("Table's id", descriptor.tableId())
        .add("Partition", TabletAttributes.partitionText(descriptor))
        .add("Schema version", Integer.toString(descriptor.schemaVersion()))
        .add("Maintenance priority", Integer.toString(config.priority()));
  }

  /** Says how far a tablet of an index has followed its table. */
  private static void addIndex(Facts facts, HostedTablet tablet, Derivation derivation) {
    String state = tablet.isBuilt() ? "complete" : "being built";
    String incomplete = tablet.incomplete();
    if (incomplete != null) {
      state = "failed: " + incomplete;
    } else if (tablet.isStale()) {
      state = "stale; it will be built again";
    }
    facts
        .add("Index", derivation.index().name() + ", " + state)
        .add(
            "Behind its table",
            Figures.durationText(TimeUnit.MICROSECONDS.toNanos(tablet.feedLagMicros())))
        .add("Tablets of the table", Integer.toString(derivation.sources().size()));
  }

  private DomContent table(TabletDescriptor descriptor) {
    String address =
        others
            .master()
            .map(master -> master + "/table?id=" + Slice.encoded(descriptor.tableId()))
            .orElseGet(() -> LIST + "?table=" + Slice.encoded(descriptor.tableName()));
    return a(descriptor.tableName()).withHref(address);
  }

  private DomContent members(ConsensusView group) {
    return DataTable.<Member>of("Replicas")
        .id("Server", this::server)
        .id("RPC", member -> text(member.rpcAddress() == null ? "" : member.rpcAddress()))
        .id("Raft", member -> text(member.raftAddress()))
        .cell("Role", member -> role(member, group))
        .rows(group.members());
  }

  private DomContent server(Member member) {
    Optional<String> pages = others.server(member.serverUuid());
    return pages.isEmpty()
        ? text(member.serverUuid())
        : a(member.serverUuid()).withHref(pages.get() + "/");
  }

  private static DomContent role(Member member, ConsensusView group) {
    if (member.serverUuid().equals(group.leaderUuid())) {
      return Badges.good("leader");
    }
    return Badges.plain(member.voter() ? "follower" : "learner");
  }

  private static Facts sizes(HostedTablet tablet) {
    TabletStatistics now = tablet.statistics();
    return new Facts()
        .add("Rows", Figures.count(now.liveRows()))
        .add("On disk", Figures.bytes(tablet.onDiskBytes()))
        .add("… of it history", Figures.bytesIfAny(now.undoBytes()))
        .add("New rows in memory", Figures.bytes(now.memRowSetBytes()))
        .add("Changes in memory", Figures.bytes(now.deltaMemStoreBytes()))
        .add("DiskRowSets", rowSets(tablet, now))
        .add("Delta files", Figures.count(now.deltaFileCount()))
        .add("Height", Figures.decimal(now.averageHeight()))
        .add("Log a restart replays", Figures.bytes(tablet.replica().unflushedLogBytes()))
        .add("Open scans", Figures.count(tablet.scans().active()));
  }

  private static DomContent rowSets(HostedTablet tablet, TabletStatistics now) {
    return each(
        Figures.count(now.rowSetCount()),
        text(" · "),
        a("layout").withHref(RowSetLayoutPage.address(tablet.tabletId())));
  }

  private static Facts work(HostedTablet tablet) {
    AppliedRows rows = tablet.replica().applied();
    return new Facts()
        .add("Rows inserted", Figures.count(rows.inserted()))
        .add("Rows upserted", Figures.count(rows.upserted()))
        .add("Rows updated", Figures.count(rows.updated()))
        .add("Rows deleted", Figures.count(rows.deleted()))
        .add("Written to the log", Figures.bytes(rows.logBytes()));
  }
}
