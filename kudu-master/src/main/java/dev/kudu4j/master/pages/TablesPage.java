package dev.kudu4j.master.pages;

import static j2html.TagCreator.a;
import static j2html.TagCreator.button;
import static j2html.TagCreator.form;
import static j2html.TagCreator.input;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** All tables of the cluster. */
final class TablesPage {
  static final String PATH = "/tables";

  private record Row(TableInfo table, TableSize size) {}

  private final LeaderSession session;

  TablesPage(LeaderSession session) {
    this.session = session;
  }

  /** All tables except those that were dropped for good, ordered by name. */
  static List<TableInfo> tablesToShow(LeaderSession session) {
    return session.catalog().tables().stream()
        .filter(table -> !table.isRemoved())
        .sorted(Comparator.comparing(TableInfo::name).thenComparing(TableInfo::id))
        .toList();
  }

  View view(Query query) {
    String wanted = query.get("name").orElse("");
    List<TableInfo> all =
        tablesToShow(session).stream().filter(table -> table.name().contains(wanted)).toList();
    Slice<TableInfo> shown = Slice.of(all, query);
    String address = PATH + "?" + (wanted.isEmpty() ? "" : "name=" + Slice.encoded(wanted) + "&");
    return View.of(
        "Tables",
        filter(wanted),
        table(wanted)
            .rows(
                shown.rows().stream()
                    .map(table -> new Row(table, TableSize.of(table, session.observed())))
                    .toList()),
        shown.pager(address),
        requests());
  }

  private DomContent requests() {
    int pending = session.tables().pendingTasks();
    return pending == 0
        ? null
        : p(Figures.count(pending), text(" requests to tablet servers are not done yet."));
  }

  private static DomContent filter(String wanted) {
    return form(
            input()
                .withType("search")
                .withName("name")
                .withValue(wanted)
                .withPlaceholder("Part of a table's name")
                .attr("aria-label", "Part of a table's name"),
            button("Show").withType("submit"))
        .withMethod("get")
        .withAction(PATH)
        .withClass("filter");
  }

  private static DataTable<Row> table(String wanted) {
    return DataTable.<Row>of("Tables")
        .dense()
        .cell("Table", row -> a(row.table.name()).withHref(TablePage.address(row.table)))
        .cell("State", row -> state(row.table))
        .number("Tablets", row -> Figures.count(row.table.tablets().size()))
        .number("Replicas each", row -> Figures.count(row.table.entry().getNumReplicas()))
        .number("Rows", row -> figure(row.size.liveRowCount(), Figures::count))
        .number("On disk", row -> figure(row.size.onDiskBytes(), Figures::bytes))
        .number("Columns", row -> Figures.count(row.table.schemaForClients().getColumnsCount()))
        .text("Owner", row -> row.table.entry().getOwner())
        .cell("Created", row -> Figures.moment(row.table.entry().getCreateTimeMicros()))
        .prose("Comment", row -> row.table.entry().getComment())
        .whenEmpty(wanted.isEmpty() ? "There is no table yet." : "No table has a name like that.");
  }

  static DomContent figure(OptionalLong value, LongFunction<DomContent> figure) {
    return value.isPresent() ? figure.apply(value.getAsLong()) : Figures.none();
  }

  static DomContent state(TableInfo table) {
    if (table.hasFailed()) {
      return Badges.bad("failed");
    }
    if (table.tabletsInCreation() > 0) {
      return Badges.passing(table.tabletsInCreation() + " tablets in creation");
    }
    return switch (table.state()) {
      case RUNNING -> Badges.good("running");
      case SOFT_DELETED -> Badges.plain("deleted, can be recalled");
      default -> Badges.passing(table.state().name());
    };
  }
}
