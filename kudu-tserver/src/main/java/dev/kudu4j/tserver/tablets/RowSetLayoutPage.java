package dev.kudu4j.tserver.tablets;

import static j2html.TagCreator.div;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.span;
import static j2html.TagCreator.text;

import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.predicate.PredicateText;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.web.Link;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.maintenance.RowSetLayout;
import dev.kudu4j.tablet.maintenance.RowSetLayout.Place;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;

/** The page of a tablet's rowset layout: its DiskRowSets by key, as a drawing and as a table. */
final class RowSetLayoutPage {
  static final String PATH = "/tablet-rowsetlayout-svg";

  private static final int KEY_CHARACTERS = 80;

  private final boolean redacted;

  /**
   * @param redacted whether to hide keys
   */
  RowSetLayoutPage(boolean redacted) {
    this.redacted = redacted;
  }

  static String address(String tabletId) {
    return PATH + "?id=" + Slice.encoded(tabletId);
  }

  /**
   * @throws KuduException SERVICE_UNAVAILABLE if the tablet is not open
   */
  View view(HostedTablet tablet, Query query) {
    if (!tablet.isOpen()) {
      throw KuduException.serviceUnavailable(
          "Tablet %s is not open on this server: %s", tablet.tabletId(), tablet.lastStatus());
    }
    RowSetLayout layout = tablet.tablet().maintenance().layout();
    TabletStatistics now = tablet.statistics();
    List<DomContent> body = new ArrayList<>();
    if (layout.rowSets().isEmpty()) {
      body.add(p("The tablet has no DiskRowSet: nothing has been flushed yet.").withClass("lead"));
      body.add(memory(now));
    } else {
      show(layout, tablet, now, query, body);
    }
    return new View(
        "Rowset layout",
        List.of(
            new Link("Tablets", TabletPages.LIST),
            new Link(
                "Tablet " + tablet.tabletId(),
                TabletPages.ONE + "?id=" + Slice.encoded(tablet.tabletId()))),
        body);
  }

  private static DomContent memory(TabletStatistics now) {
    return p(
        text("New rows in memory, which are not part of the layout: "),
        Figures.bytes(now.memRowSetBytes()),
        text("."));
  }

  private void show(
      RowSetLayout layout,
      HostedTablet tablet,
      TabletStatistics now,
      Query query,
      List<DomContent> body) {
    List<Place> all = layout.rowSets();
    RowSetLanes lanes = RowSetLanes.of(all.subList(0, Math.min(all.size(), RowSetLanes.MAX_DRAWN)));
    body.add(
        p(
            "The drawing shows the tablet's data by primary key. A bar is a DiskRowSet"
                + " with the keys that it covers. Where bars overlap, a look-up visits"
                + " each of them."));
    body.add(lanes.picture());
    body.add(axis());
    if (all.size() > RowSetLanes.MAX_DRAWN) {
      body.add(p("Drawn are the first " + Figures.countText(RowSetLanes.MAX_DRAWN) + " by key."));
    }
    body.add(facts(layout, lanes, tablet).list());
    body.add(memory(now));
    body.add(h2("DiskRowSets"));
    Slice<Place> shown = Slice.of(all, query);
    body.add(table(tablet.tablet().schema()).rows(shown.rows()));
    DomContent pager = shown.pager(address(tablet.tabletId()) + "&");
    if (pager != null) {
      body.add(pager);
    }
  }

  private static DomContent axis() {
    return div(span("0 %"), span("25 %"), span("50 %"), span("75 %"), span("100 %"))
        .withClass("axis");
  }

  private static Facts facts(RowSetLayout layout, RowSetLanes lanes, HostedTablet tablet) {
    LongSummaryStatistics sizes =
        layout.rowSets().stream().mapToLong(Place::bytes).summaryStatistics();
    return new Facts()
        .add("Table", tablet.tablet().descriptor().tableName())
        .add("Partition", TabletAttributes.partitionText(tablet.tablet().descriptor()))
        .add("DiskRowSets", Figures.count(layout.rowSets().size()))
        .add("Rows", Figures.count(layout.rowSets().stream().mapToLong(Place::rows).sum()))
        .add("On disk", Figures.bytes(sizes.getSum()))
        .add("Average height", Figures.decimal(layout.averageHeight()))
        .add("Greatest depth", Figures.count(lanes.depth()))
        .add("Smallest rowset", Figures.bytes(sizes.getMin()))
        .add("Largest rowset", Figures.bytes(sizes.getMax()))
        .add("Average rowset", Figures.bytes((long) sizes.getAverage()));
  }

  private DataTable<Place> table(Schema schema) {
    return DataTable.<Place>of("DiskRowSets")
        .dense()
        .number("Id", rowSet -> text(Long.toString(rowSet.id())))
        .number("From", rowSet -> percent(rowSet.lower()))
        .number("To", rowSet -> percent(rowSet.upper()))
        .number("Of the data", rowSet -> percent(rowSet.width()))
        .number("Rows", rowSet -> Figures.count(rowSet.rows()))
        .number("Deleted", rowSet -> Figures.count(rowSet.deletedRows()))
        .number("On disk", rowSet -> Figures.bytes(rowSet.bytes()))
        .number("REDO files", rowSet -> Figures.count(rowSet.redoFiles()))
        .number("UNDO files", rowSet -> Figures.count(rowSet.undoFiles()))
        .prose("Smallest key", rowSet -> key(schema, rowSet.minKey()))
        .prose("Largest key", rowSet -> key(schema, rowSet.maxKey()));
  }

  private static DomContent percent(double share) {
    return text(String.format(Locale.ROOT, "%.1f %%", 100 * share));
  }

  private String key(Schema schema, byte[] encoded) {
    if (redacted) {
      return PredicateText.REDACTED;
    }
    byte[][] cells = KeyDecoder.decode(schema, encoded);
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      ColumnSchema column = schema.column(i);
      words
          .append(i == 0 ? "" : ", ")
          .append(column.name())
          .append(" = ")
          .append(cut(CellText.of(column, cells[i])));
    }
    return words.toString();
  }

  private static String cut(String text) {
    return text.length() <= KEY_CHARACTERS ? text : text.substring(0, KEY_CHARACTERS) + "…";
  }
}
