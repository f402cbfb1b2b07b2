package dev.kudu4j.server.process;

import static j2html.TagCreator.details;
import static j2html.TagCreator.p;
import static j2html.TagCreator.pre;
import static j2html.TagCreator.summary;

import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The page of the current stacks of the process's threads, the threads with the most CPU time
 * first.
 */
final class StacksPage {
  private static final String PATH = "/stacks";

  private record Shown(Thread thread, StackTraceElement[] stack, long cpuNanos) {
    String frames() {
      return Arrays.stream(stack).map(Object::toString).collect(Collectors.joining("\n"));
    }
  }

  private StacksPage() {}

  static WebPage page() {
    return WebPage.of(PATH, "Threads", query -> view(Thread.getAllStackTraces(), query));
  }

  private static String state(Thread thread) {
    return thread.getState().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static View view(Map<Thread, StackTraceElement[]> stacks, Query query) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<Shown> all = new ArrayList<>();
    stacks.forEach(
        (thread, stack) ->
            all.add(
                new Shown(thread, stack, Math.max(0, threads.getThreadCpuTime(thread.getId())))));
    all.sort(Comparator.comparingLong(shown -> -shown.cpuNanos));
    Slice<Shown> slice = Slice.of(all, query);
    return View.of(
        "Threads",
        p(
            "All threads of the process, the threads with the most CPU time first. A process may"
                + " run several servers."),
        DataTable.<Shown>of("Threads")
            .prose("Thread", shown -> shown.thread.getName())
            .number("Worked", shown -> Figures.duration(shown.cpuNanos))
            .text("State", shown -> state(shown.thread))
            .cell(
                "Where",
                shown ->
                    shown.stack.length == 0
                        ? Figures.none()
                        : details(summary(shown.stack[0].toString()), pre(shown.frames())))
            .rows(slice.rows()),
        slice.pager(PATH + "?"));
  }
}
