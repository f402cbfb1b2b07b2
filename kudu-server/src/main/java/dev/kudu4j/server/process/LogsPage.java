package dev.kudu4j.server.process;

import static j2html.TagCreator.button;
import static j2html.TagCreator.details;
import static j2html.TagCreator.each;
import static j2html.TagCreator.form;
import static j2html.TagCreator.input;
import static j2html.TagCreator.option;
import static j2html.TagCreator.p;
import static j2html.TagCreator.pre;
import static j2html.TagCreator.select;
import static j2html.TagCreator.span;
import static j2html.TagCreator.summary;
import static j2html.TagCreator.text;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.process.RecentLog.Line;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.slf4j.event.Level;

/**
 * The page of the last log lines, newest first; {@code ?level=WARN&contains=tablet} filters them.
 */
final class LogsPage {
  private static final String PATH = "/logs";
  private static final List<Level> LEVELS =
      List.of(Level.INFO, Level.WARN, Level.ERROR, Level.DEBUG, Level.TRACE);

  private final RecentLog log;
  private final boolean shared;

  private LogsPage(RecentLog log, boolean shared) {
    this.log = log;
    this.shared = shared;
  }

  /**
   * @param shared whether other servers of the process write to the same log
   */
  static WebPage of(RecentLog log, boolean shared) {
    LogsPage page = new LogsPage(log, shared);
    return WebPage.of(PATH, "Log", page::view);
  }

  private View view(Query query) {
    if (!log.isKept()) {
      return View.of(
          "Log",
          p(
              "The program that runs this server keeps no lines of its log for this page. Its own"
                  + " logging configuration says where the log goes."));
    }
    Wanted wanted = Wanted.of(query);
    List<Line> all = log.lines();
    List<Line> found = new ArrayList<>(all.stream().filter(wanted::includes).toList());
    Collections.reverse(found);
    Slice<Line> shown = Slice.of(found, query);
    return View.of(
        "Log",
        intro(all),
        wanted.filter(),
        DataTable.<Line>of("Lines of the log")
            .dense()
            .cell("Time (UTC)", line -> Figures.momentWithMillis(line.micros()))
            .cell("Level", line -> level(line.level()))
            .wide("Message", LogsPage::message)
            .whenEmpty(all.isEmpty() ? "Nothing has been logged yet." : "No kept line matches.")
            .rows(shown.rows()),
        shown.pager(wanted.address(), "← Newer", "Older →"));
  }

  private DomContent intro(List<Line> all) {
    return p(
        text("The last "),
        Figures.count(all.size()),
        text(all.size() == 1 ? " event" : " events"),
        text(" of the log, the newest first"),
        all.isEmpty()
            ? text(". ")
            : each(text(", since "), Figures.moment(all.get(0).micros()), text(". ")),
        text(shared ? "All servers of this process write to it. " : ""),
        text(
            "The process writes the complete log to standard error; if the cluster was started"
                + " with bin/kudu start, the log is in the file kudu.log."));
  }

  private static DomContent level(Level level) {
    return switch (level) {
      case ERROR -> Badges.bad(level.name());
      case WARN -> Badges.passing(level.name());
      default -> Badges.plain(level.name());
    };
  }

  private static DomContent message(Line line) {
    return each(
        span(line.logger() + ": ").withClass("quiet").withTitle("Thread " + line.thread()),
        text(line.message()),
        line.stack().isEmpty() ? null : details(summary("Stack trace"), pre(line.stack())));
  }

  /** The filter that the user selected. */
  private record Wanted(Level level, String contains) {
    static Wanted of(Query query) {
      return new Wanted(
          query.get("level").map(Wanted::level).orElse(Level.TRACE),
          query.get("contains").orElse(""));
    }

    private static Level level(String name) {
      for (Level level : LEVELS) {
        if (level.name().equalsIgnoreCase(name)) {
          return level;
        }
      }
      throw KuduException.invalidArgument(
          "Unknown level '%s'; ?level= accepts INFO, WARN or ERROR", name);
    }

    boolean includes(Line line) {
      return line.level().toInt() >= level.toInt()
          && (contains.isEmpty()
              || has(line.message())
              || has(line.logger())
              || has(line.thread())
              || has(line.stack()));
    }

    private boolean has(String text) {
      return text.toLowerCase(Locale.ROOT).contains(contains.toLowerCase(Locale.ROOT));
    }

    String address() {
      return PATH
          + "?"
          + (level == Level.TRACE ? "" : "level=" + level + "&")
          + (contains.isEmpty() ? "" : "contains=" + Slice.encoded(contains) + "&");
    }

    DomContent filter() {
      return form(
              select(
                      choice("", "All levels"),
                      choice("WARN", "Warnings and errors"),
                      choice("ERROR", "Errors"))
                  .withName("level")
                  .attr("aria-label", "Level"),
              input()
                  .withType("search")
                  .withName("contains")
                  .withValue(contains)
                  .withPlaceholder("Part of a line")
                  .attr("aria-label", "Part of a line"),
              button("Show").withType("submit"))
          .withMethod("get")
          .withAction(PATH)
          .withClass("filter");
    }

    private DomContent choice(String value, String label) {
      return option(label).withValue(value).withCondSelected(value.equals(level.name()));
    }
  }
}
