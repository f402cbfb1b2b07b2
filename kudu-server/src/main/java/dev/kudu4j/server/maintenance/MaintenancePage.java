package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import dev.kudu4j.server.web.WebServer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What maintenance does, did and would do, in a browser. */
public final class MaintenancePage {
  private static final int MOST_OFFERS = 200;

  private MaintenancePage() {}

  public static WebServer.Page of(MaintenanceScheduler scheduler) {
    return WebServer.Page.html("/maintenance-manager", "Maintenance", () -> html(scheduler.view()));
  }

  static String html(MaintenanceView view) {
    StringBuilder page = new StringBuilder("<h1>Maintenance</h1>");
    running(page, view);
    recent(page, view);
    offers(page, view.offers());
    return page.toString();
  }

  private static void running(StringBuilder page, MaintenanceView view) {
    page.append("<h2>Running</h2>");
    table(page, "Kind", "Table", "Tablet", "Why", "What", "For ms");
    for (Run run : view.running()) {
      begin(page, run);
      page.append("<td align=right>").append(millis(view.nowNanos() - run.startedAtNanos()));
    }
    page.append("</table>");
  }

  private static void recent(StringBuilder page, MaintenanceView view) {
    page.append("<h2>Recent</h2>");
    table(page, "Kind", "Table", "Tablet", "Why", "What", "Took ms", "s ago", "Outcome");
    for (Run run : view.recent()) {
      begin(page, run);
      page.append("<td align=right>")
          .append(millis(run.nanos()))
          .append("<td align=right>")
          .append(TimeUnit.NANOSECONDS.toSeconds(view.nowNanos() - run.endedAtNanos()))
          .append("<td>")
          .append(run.failure() == null ? "done" : WebServer.escape(run.failure()));
    }
    page.append("</table>");
  }

  private static void begin(StringBuilder page, Run run) {
    row(page, run.kind().name(), run.tableName(), run.tabletId(), run.reason(), run.description());
  }

  private static void offers(StringBuilder page, List<Offer> offers) {
    page.append("<h2>Candidates</h2><p>")
        .append(offers.size())
        .append(
            offers.size() > MOST_OFFERS ? ", the most urgent " + MOST_OFFERS + " of them here" : "")
        .append(". Those that are not due have NONE for a reason.</p>");
    table(
        page,
        "Kind",
        "Table",
        "Tablet",
        "Why",
        "What",
        "Score",
        "Frees memory",
        "Releases log",
        "Age s",
        "Frees disk",
        "Moves",
        "Read gain",
        "Written B/s",
        "Priority");
    for (Offer offer : offers.subList(0, Math.min(offers.size(), MOST_OFFERS))) {
      Worth worth = offer.worth();
      row(
          page,
          offer.kind().name(),
          offer.tablet().tableName(),
          offer.tablet().tabletId(),
          offer.urgency().reason().name(),
          offer.description());
      number(page, String.format(Locale.ROOT, "%.3g", offer.urgency().score()));
      number(page, Long.toString(worth.freedMemoryBytes()));
      number(page, Long.toString(worth.logBytes()));
      number(page, Long.toString(TimeUnit.MILLISECONDS.toSeconds(worth.ageMillis())));
      number(page, Long.toString(worth.freedDiskBytes()));
      number(page, Long.toString(worth.ioBytes()));
      number(page, String.format(Locale.ROOT, "%.3f", worth.readGain()));
      number(page, String.format(Locale.ROOT, "%.0f", worth.writeBytesPerSecond()));
      number(page, Integer.toString(worth.priority()));
    }
    page.append("</table>");
  }

  private static void table(StringBuilder page, String... columns) {
    page.append("<table border=1><tr>");
    for (String column : columns) {
      page.append("<th>").append(column);
    }
    page.append("</tr>");
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("<tr>");
    for (String cell : cells) {
      page.append("<td>").append(WebServer.escape(cell));
    }
  }

  private static void number(StringBuilder page, String text) {
    page.append("<td align=right>").append(text);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
