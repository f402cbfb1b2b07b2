package dev.kudu4j.server.maintenance;

import static j2html.TagCreator.dd;
import static j2html.TagCreator.details;
import static j2html.TagCreator.dl;
import static j2html.TagCreator.dt;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.summary;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import dev.kudu4j.server.maintenance.OpPriority.Reason;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import j2html.tags.DomContent;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The page of maintenance: running, recent and candidate ops. */
public final class MaintenancePage {
  static final String PATH = "/maintenance-manager";

  private MaintenancePage() {}

  /**
   * @param tablet formats a tablet's id, as a link if the tablet has a page
   */
  public static WebPage of(MaintenanceScheduler scheduler, Function<String, DomContent> tablet) {
    return WebPage.of(PATH, "Maintenance", query -> view(scheduler.view(), query, tablet));
  }

  static View view(MaintenanceView view, Query query, Function<String, DomContent> tablet) {
    Slice<CandidateOp> candidates = Slice.of(view.candidates(), query);
    return View.of(
        "Maintenance",
        h2("Running"),
        running(view, tablet),
        h2("Recent"),
        recent(view, tablet),
        h2("Candidates"),
        legend(),
        candidates(tablet).rows(candidates.rows()),
        candidates.pager(PATH + "?"));
  }

  private static DomContent running(MaintenanceView view, Function<String, DomContent> tablet) {
    return runs("Running", tablet)
        .number("For", run -> Figures.duration(view.nowNanos() - run.startedAtNanos()))
        .whenEmpty("Nothing.")
        .rows(view.running());
  }

  private static DomContent recent(MaintenanceView view, Function<String, DomContent> tablet) {
    return runs("Recent", tablet)
        .number("Took", run -> Figures.duration(run.nanos()))
        .number("Ended", run -> Figures.ago(view.nowNanos() - run.endedAtNanos()))
        .cell(
            "Outcome",
            run -> run.failure() == null ? Badges.good("done") : Badges.bad(run.failure()))
        .whenEmpty("Nothing yet.")
        .rows(view.recent());
  }

  private static DataTable<Run> runs(String caption, Function<String, DomContent> tablet) {
    return DataTable.<Run>of(caption)
        .dense()
        .text("Kind", run -> words(run.kind().name()))
        .text("Table", Run::tableName)
        .shortId("Tablet", run -> tablet.apply(run.tabletId()))
        .text("Why", run -> words(run.reason()))
        .prose("What", Run::description);
  }

  private static DataTable<CandidateOp> candidates(Function<String, DomContent> tablet) {
    return DataTable.<CandidateOp>of("Candidates")
        .dense()
        .text("Kind", candidate -> words(candidate.kind().name()))
        .text("Table", candidate -> candidate.tablet().tableName())
        .shortId("Tablet", candidate -> tablet.apply(candidate.tablet().tabletId()))
        .cell("Why", candidate -> why(candidate.opPriority().reason()))
        .prose("What", CandidateOp::description)
        .number("Score", candidate -> decimal(candidate.opPriority().score()))
        .number(
            "Frees memory", candidate -> Figures.bytesIfAny(candidate.stats().freedMemoryBytes()))
        .number("Releases log", candidate -> Figures.bytesIfAny(candidate.stats().logBytes()))
        .number("Age", candidate -> age(candidate.stats().ageMillis()))
        .number("Frees disk", candidate -> Figures.bytesIfAny(candidate.stats().freedDiskBytes()))
        .number("Moves", candidate -> Figures.bytesIfAny(candidate.stats().ioBytes()))
        .number("Read gain", candidate -> decimal(candidate.stats().readGain()))
        .number(
            "Written a second",
            candidate -> Figures.bytesIfAny((long) candidate.stats().writeBytesPerSecond()))
        .number("Priority", candidate -> decimal(candidate.stats().priority()))
        .whenEmpty("None: no tablet needs maintenance.");
  }

  private static DomContent why(Reason reason) {
    return switch (reason) {
      case NONE -> Badges.plain("none");
      case PERFORMANCE, DISK -> Badges.plain(reason.name());
      case LOG, MEMORY -> Badges.passing(reason.name());
    };
  }

  private static DomContent age(long millis) {
    return millis == 0 ? Figures.none() : Figures.duration(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static DomContent decimal(double value) {
    return value == 0 ? Figures.none() : Figures.decimal(value);
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static DomContent legend() {
    return details(
        summary("What the reasons and their scores mean"),
        dl(
                dt("memory"),
                dd("Memory is short. Score: bytes freed."),
                dt("log"),
                dd(
                    "A restart would replay too much of the log (--log_target_replay_size_mb)."
                        + " Score: bytes of log."),
                dt("disk"),
                dd("Frees much disk space for little work. Score: bytes freed."),
                dt("performance"),
                dd(
                    "A flush: megabytes above --flush_threshold_mb, or age"
                        + " divided by --flush_threshold_secs. A compaction: gain of reads for each"
                        + " byte moved, reduced by up to half while the tablet is written. Each"
                        + " step of the table's priority multiplies the score by 1.1."),
                dt("none"),
                dd("Not due: the op waits."))
            .withClass("legend"));
  }
}
