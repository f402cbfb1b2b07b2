package dev.kudu4j.tserver.copy;

import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tserver.tablets.CopyProgress;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletPages;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;

/** The page of the tablet copies in progress, to this server and from it. */
final class CopiesPage {
  static final String PATH = "/tablet-copies";

  /** A copy to this server. */
  private record IncomingCopy(String tabletId, CopyProgress progress) {}

  private CopiesPage() {}

  static WebPage of(TabletRegistry tablets, SourceSessions sessions, CopyMeters meters) {
    return WebPage.of(PATH, "Tablet copies", query -> view(tablets, sessions, meters));
  }

  private static View view(TabletRegistry tablets, SourceSessions sessions, CopyMeters meters) {
    long now = sessions.nowNanos();
    List<IncomingCopy> incoming = new ArrayList<>();
    for (HostedTablet hosted : tablets.all()) {
      CopyProgress progress = hosted.copy();
      if (progress != null) {
        incoming.add(new IncomingCopy(hosted.tabletId(), progress));
      }
    }
    return View.of(
        "Tablet copies",
        p(
            "Since the server started: fetched "
                + Figures.bytesText(meters.fetchedBytes())
                + ", sent "
                + Figures.bytesText(meters.sentBytes())
                + "."),
        h2("To this server"),
        incoming(now).rows(incoming),
        h2("From this server"),
        outgoing(now).rows(List.copyOf(sessions.all())));
  }

  private static DataTable<IncomingCopy> incoming(long now) {
    return DataTable.<IncomingCopy>of("Copies to this server")
        .id("Tablet", copy -> TabletPages.link(copy.tabletId))
        .number("Done", copy -> percent(copy.progress))
        .number("Here", copy -> Figures.bytes(copy.progress.localBytes()))
        .number("Of", copy -> Figures.bytes(copy.progress.totalBytes()))
        .number("For", copy -> Figures.duration(now - copy.progress.startedNanos()))
        .prose("Status", copy -> copy.progress.text())
        .id("From", copy -> text(copy.progress.sourceUuid()))
        .whenEmpty("None at this moment.");
  }

  private static DomContent percent(CopyProgress progress) {
    return Figures.percent(progress.localBytes(), progress.totalBytes());
  }

  private static DataTable<SourceSession> outgoing(long now) {
    return DataTable.<SourceSession>of("Copies from this server")
        .id("Tablet", session -> TabletPages.link(session.tabletId()))
        .number("Sent", session -> Figures.bytes(session.sentBytes()))
        .number("Of", session -> Figures.bytes(session.totalBytes()))
        .number("For", session -> Figures.duration(now - session.startedNanos()))
        .number("Last asked", session -> Figures.ago(now - session.lastUsedNanos()))
        .id("To", session -> text(session.requestorUuid()))
        .whenEmpty("None at this moment.");
  }
}
