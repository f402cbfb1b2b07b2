package dev.kudu4j.tserver.scan;

import static j2html.TagCreator.code;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletPages;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The page of the open scans and of those that ended most recently: query, user and resources used.
 */
public final class ScansPage {
  /** The path of the page. */
  public static final String PATH = "/scans";

  private final TabletRegistry tablets;
  private final ScannerRegistry scanners;
  private final ReadAhead readAhead;
  private final ScanHistory history;
  private final BooleanSupplier redacted;

  private ScansPage(
      TabletRegistry tablets,
      ScannerRegistry scanners,
      ReadAhead readAhead,
      ScanHistory history,
      BooleanSupplier redacted) {
    this.tablets = tablets;
    this.scanners = scanners;
    this.readAhead = readAhead;
    this.history = history;
    this.redacted = redacted;
  }

  /**
   * @param redacted whether to hide the cells in predicates
   */
  public static WebPage of(
      TabletRegistry tablets,
      ScannerRegistry scanners,
      ReadAhead readAhead,
      ScanHistory history,
      BooleanSupplier redacted) {
    ScansPage page = new ScansPage(tablets, scanners, readAhead, history, redacted);
    return WebPage.of(PATH, "Scans", page::view);
  }

  private View view(Query query) {
    long now = scanners.nowNanos();
    List<ScanTrace> open = new ArrayList<>();
    scanners.all().forEach(scanner -> open.add(scanner.trace()));
    open.sort(Comparator.comparingLong(ScanTrace::startedNanos));
    Slice<ScanTrace> shown = Slice.of(open, query);
    return View.of(
        "Scans",
        p(
            "A scan is open until all its rows are read, its client closes it, or it expires."
                + " It may wait for its client most of that time; the column Worked shows the time"
                + " that the server spent on it."),
        p(
            String.format(
                "Batches read ahead of their clients: %,d; taken: %,d, of which %,d were ready.",
                readAhead.prepared(), readAhead.taken(), readAhead.ready())),
        h2("Open"),
        table("Open scans", now).whenEmpty("None at this moment.").rows(shown.rows()),
        shown.pager(PATH + "?"),
        h2("Ended last"),
        table("Scans that ended", now).whenEmpty("None yet.").rows(history.ended()));
  }

  private DataTable<ScanTrace> table(String caption, long now) {
    ScanText sql = new ScanText(redacted.getAsBoolean());
    return DataTable.<ScanTrace>of(caption)
        .dense()
        .cell("State", trace -> state(trace.state()))
        .wide("What", trace -> code(sql.of(trace.query(), schema(trace))))
        .number("Rows", trace -> Figures.count(trace.rows()))
        .number("Sent", trace -> Figures.bytes(trace.bytes()))
        .number("Calls", trace -> Figures.count(trace.calls()))
        .number("Open for", trace -> Figures.duration(trace.nanos(now)))
        .number("Worked", trace -> Figures.duration(trace.busyNanos()))
        .number("Began", trace -> Figures.ago(now - trace.startedNanos()))
        .text("User", trace -> trace.caller().user())
        .text("From", trace -> trace.caller().origin())
        .shortId("Query", trace -> text(trace.queryId()))
        .shortId("Tablet", trace -> TabletPages.link(trace.tabletId()))
        .shortId("Scanner", trace -> text(trace.id()));
  }

  private @Nullable Schema schema(ScanTrace trace) {
    HostedTablet tablet = tablets.find(trace.tabletId());
    return tablet == null || !tablet.isOpen() ? null : tablet.tablet().schema();
  }

  private static DomContent state(ScanTrace.State state) {
    return switch (state) {
      case ACTIVE -> Badges.passing("active");
      case COMPLETE -> Badges.good("complete");
      case CLOSED -> Badges.plain("closed");
      case EXPIRED -> Badges.bad("expired");
      case FAILED -> Badges.bad("failed");
    };
  }
}
