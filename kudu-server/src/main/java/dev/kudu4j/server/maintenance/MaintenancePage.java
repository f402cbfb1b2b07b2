package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import dev.kudu4j.server.web.HtmlPage;
import dev.kudu4j.server.web.WebServer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What maintenance does, did and would do, in a browser. */
public final class MaintenancePage {
  private static final int MOST_OFFERS = 200;

  private static final String LEGEND =
      """
      <p>What could be done, the most urgent first: by reason, and within a reason by score. Those that are not due have
      NONE for a reason and wait.</p>
      <dl>
      <dt>MEMORY</dt><dd>Memory is short. Score: bytes freed.</dd>
      <dt>LOG</dt><dd>A restart would replay too much of the log (--log_target_replay_size_mb). Score: bytes of log.</dd>
      <dt>DISK</dt><dd>Much disk comes back for little work. Score: bytes freed.</dd>
      <dt>PERFORMANCE</dt><dd>A flush: megabytes above --flush_threshold_mb, or age in --flush_threshold_secs. A compaction:
      what reads gain for each byte moved; a table's priority multiplies it, busy writers halve it at most.</dd>
      </dl>
      """;

  private MaintenancePage() {}

  public static WebServer.Page of(MaintenanceScheduler scheduler) {
    return WebServer.Page.html("/maintenance-manager", "Maintenance", () -> html(scheduler.view()));
  }

  static String html(MaintenanceView view) {
    StringBuilder page = new StringBuilder();
    running(page, view);
    recent(page, view);
    offers(page, view.offers());
    return HtmlPage.of("Maintenance", page.toString());
  }

  private static void running(StringBuilder page, MaintenanceView view) {
    page.append("<h2>Running</h2>");
    if (view.running().isEmpty()) {
      page.append("<p class=quiet>Nothing.</p>");
      return;
    }
    begin(page, "Kind", "Table", "Tablet", "Why", "What", "#For");
    for (Run run : view.running()) {
      row(page, run);
      number(page, duration(view.nowNanos() - run.startedAtNanos()));
    }
    page.append("</table>");
  }

  private static void recent(StringBuilder page, MaintenanceView view) {
    page.append("<h2>Recent</h2>");
    if (view.recent().isEmpty()) {
      page.append("<p class=quiet>Nothing yet.</p>");
      return;
    }
    begin(page, "Kind", "Table", "Tablet", "Why", "What", "#Took", "#Ended", "Outcome");
    for (Run run : view.recent()) {
      row(page, run);
      number(page, duration(run.nanos()));
      number(page, duration(view.nowNanos() - run.endedAtNanos()) + " ago");
      page.append(
          run.failure() == null
              ? "<td>done"
              : "<td class=failed>" + WebServer.escape(run.failure()));
    }
    page.append("</table>");
  }

  private static void row(StringBuilder page, Run run) {
    row(page, run.kind().name(), run.tableName(), run.tabletId(), run.reason(), run.description());
  }

  private static void offers(StringBuilder page, List<Offer> offers) {
    page.append("<h2>Candidates</h2>").append(LEGEND);
    if (offers.isEmpty()) {
      page.append("<p class=quiet>None: every tablet is as it should be.</p>");
      return;
    }
    if (offers.size() > MOST_OFFERS) {
      page.append("<p>")
          .append(offers.size())
          .append(" in all; the first ")
          .append(MOST_OFFERS)
          .append(":</p>");
    }
    begin(
        page,
        "Kind",
        "Table",
        "Tablet",
        "Why",
        "What",
        "#Score",
        "#Frees memory",
        "#Releases log",
        "#Age",
        "#Frees disk",
        "#Moves",
        "#Read gain",
        "#Written",
        "#Priority");
    offers.stream().limit(MOST_OFFERS).forEach(offer -> row(page, offer));
    page.append("</table>");
  }

  private static void row(StringBuilder page, Offer offer) {
    Worth worth = offer.worth();
    row(
        page,
        offer.kind().name(),
        offer.tablet().tableName(),
        offer.tablet().tabletId(),
        offer.urgency().reason().name(),
        offer.description());
    number(page, score(offer.urgency().score()));
    number(page, bytes(worth.freedMemoryBytes()));
    number(page, bytes(worth.logBytes()));
    number(page, worth.ageMillis() == 0 ? "" : seconds(worth.ageMillis() / 1000.0));
    number(page, bytes(worth.freedDiskBytes()));
    number(page, bytes(worth.ioBytes()));
    number(page, worth.readGain() == 0 ? "" : String.format(Locale.ROOT, "%.3f", worth.readGain()));
    String written = bytes((long) worth.writeBytesPerSecond());
    number(page, written.isEmpty() ? "" : written + "/s");
    number(page, worth.priority() == 0 ? "" : Integer.toString(worth.priority()));
  }

  /** Titles; a # before one says that numbers stand below. */
  private static void begin(StringBuilder page, String... titles) {
    page.append("<table><tr>");
    for (String title : titles) {
      boolean number = title.startsWith("#");
      page.append(number ? "<th class=number>" : "<th>").append(title.substring(number ? 1 : 0));
    }
    page.append("</tr>\n");
  }

  private static void row(
      StringBuilder page, String kind, String table, String tablet, String why, String what) {
    page.append("<tr><td>")
        .append(kind.toLowerCase(Locale.ROOT).replace('_', ' '))
        .append("<td>")
        .append(WebServer.escape(table))
        .append("<td class=id>")
        .append(WebServer.escape(tablet))
        .append(why.equals("NONE") ? "<td class=quiet>" : "<td>")
        .append(WebServer.escape(why))
        .append("<td>")
        .append(WebServer.escape(what));
  }

  private static void number(StringBuilder page, String text) {
    page.append("<td class=number>").append(text);
  }

  private static String score(double score) {
    if (score == 0) {
      return "";
    }
    return score >= 1000
        ? String.format(Locale.ROOT, "%,.0f", score)
        : String.format(Locale.ROOT, "%.3g", score);
  }

  private static String bytes(long bytes) {
    if (bytes == 0) {
      return "";
    }
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0)
        : String.format(Locale.ROOT, "%,.1f MB", bytes / (double) (1 << 20));
  }

  private static String duration(long nanos) {
    return nanos < TimeUnit.SECONDS.toNanos(1)
        ? TimeUnit.NANOSECONDS.toMillis(nanos) + " ms"
        : seconds(nanos / 1e9);
  }

  private static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : String.format(Locale.ROOT, "%,.0f min", seconds / 60);
  }
}
