package dev.kudu4j.server.process;

import static j2html.TagCreator.a;
import static j2html.TagCreator.each;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.server.process.Startup.Progress;
import dev.kudu4j.server.process.Startup.Step;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;

/** The page of the server's start: its steps and their durations. */
final class StartupPage {
  private final Startup startup;

  private StartupPage(Startup startup) {
    this.startup = startup;
  }

  static WebPage of(Startup startup) {
    StartupPage page = new StartupPage(startup);
    return WebPage.of("/startup", "Startup", query -> page.view());
  }

  private View view() {
    return View.of(
        "Startup",
        summary(),
        DataTable.<Step>of("Steps of the start")
            .text("Step", Step::title)
            .cell("State", StartupPage::state)
            .bar("", StartupPage::bar)
            .number("Progress", StartupPage::progress)
            .number("Began after", step -> Figures.duration(startup.offsetNanos(step)))
            .number("Took", step -> Figures.duration(startup.tookNanos(step)))
            .rows(startup.steps()),
        p(
            text("Load balancers and supervisors ask "),
            a("/healthz").withHref("/healthz"),
            text(" whether the server serves. Metrics: startup_progress_steps_remaining and"),
            text(" startup_progress_time_elapsed.")));
  }

  private DomContent summary() {
    DomContent elapsed = Figures.duration(startup.elapsedNanos());
    int remaining = startup.remaining();
    DomContent sentence =
        remaining == 0
            ? each(text("The server has started; it took "), elapsed, text("."))
            : each(
                text("The server is starting: "),
                text(remaining + " of " + startup.steps().size() + " steps are left after "),
                elapsed,
                text("."));
    return p(
            sentence,
            each(
                startup.steps().stream()
                    .filter(step -> step.failure().isPresent())
                    .map(StartupPage::failure)))
        .withClass("lead");
  }

  private static DomContent failure(Step step) {
    String reason = step.failure().map(Throwable::getMessage).orElse("the log has the reason");
    return text(" " + step.title() + " failed: " + reason + ".");
  }

  private static DomContent state(Step step) {
    if (step.failure().isPresent()) {
      return Badges.bad("failed");
    }
    return step.isDone() ? Badges.good("done") : Badges.passing("running");
  }

  private static DomContent bar(Step step) {
    return step.progress()
        .filter(progress -> progress.total() > 0)
        .map(progress -> Bars.ofWhole(progress.done(), progress.total()))
        .orElseGet(() -> text(""));
  }

  private static DomContent progress(Step step) {
    return step.progress()
        .<DomContent>map(progress -> text(words(progress)))
        .orElseGet(Figures::none);
  }

  private static String words(Progress progress) {
    return progress.total() == 0
        ? "no " + progress.things()
        : Figures.countText(progress.done())
            + " of "
            + Figures.countText(progress.total())
            + " "
            + progress.things();
  }
}
