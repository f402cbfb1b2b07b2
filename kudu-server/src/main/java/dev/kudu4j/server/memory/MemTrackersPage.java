package dev.kudu4j.server.memory;

import static j2html.TagCreator.p;
import static j2html.TagCreator.span;

import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The page of memory usage, as a tree. A server has thousands of trackers. If a parent has many
 * children, the children that use least memory are shown as one sum.
 */
public final class MemTrackersPage {
  static final String PATH = "/mem-trackers";

  private static final int MAX_CHILDREN = 50;

  private static final String LEAD =
      "All memory that the server tracks, each part below its whole. A bar"
          + " shows the used fraction of the limit, or of the whole if there is no limit. Heap and"
          + " direct memory are those of the process, even if it runs several servers.";

  private record Line(String name, int depth, MemoryTracker tracker, long parentBytes) {}

  private final Map<String, List<MemoryTracker>> children = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();

  private MemTrackersPage(List<MemoryTracker> trackers) {
    for (MemoryTracker tracker : trackers) {
      children.computeIfAbsent(tracker.parent(), parent -> new ArrayList<>()).add(tracker);
    }
    addBelow("", 0, 0);
  }

  public static WebPage of(ServerMemory memory) {
    return WebPage.of(PATH, "Memory", query -> view(memory.trackers()));
  }

  static View view(List<MemoryTracker> trackers) {
    return View.of("Memory", p(LEAD), new MemTrackersPage(trackers).table());
  }

  /** Adds the lines of all trackers below a parent, each directly before its own children. */
  private void addBelow(String parent, int depth, long parentBytes) {
    List<MemoryTracker> all = children.getOrDefault(parent, List.of());
    for (MemoryTracker tracker : childrenToShow(all)) {
      String name = tracker.name().substring(tracker.name().lastIndexOf('/') + 1);
      lines.add(new Line(name, depth, tracker, parentBytes));
      addBelow(tracker.name(), depth + 1, tracker.usedBytes());
    }
    if (all.size() > MAX_CHILDREN) {
      addOthers(all, depth, parentBytes);
    }
  }

  private static List<MemoryTracker> childrenToShow(List<MemoryTracker> all) {
    return all.size() <= MAX_CHILDREN ? all : byUse(all).subList(0, MAX_CHILDREN);
  }

  private static List<MemoryTracker> byUse(List<MemoryTracker> all) {
    List<MemoryTracker> sorted = new ArrayList<>(all);
    sorted.sort((a, b) -> Long.compare(b.usedBytes(), a.usedBytes()));
    return sorted;
  }

  private void addOthers(List<MemoryTracker> all, int depth, long parentBytes) {
    List<MemoryTracker> others = byUse(all).subList(MAX_CHILDREN, all.size());
    long used = others.stream().mapToLong(MemoryTracker::usedBytes).sum();
    String name = Figures.countText(others.size()) + " others, which use less";
    lines.add(new Line(name, depth, new MemoryTracker(name, "", -1, used, used), parentBytes));
  }

  private DomContent table() {
    return DataTable.<Line>of("Memory trackers")
        .cell("Tracker", line -> span("   ".repeat(line.depth) + line.name).withClass("tree"))
        .number("Used", line -> Figures.bytes(line.tracker.usedBytes()))
        .bar("", MemTrackersPage::bar)
        .number("Of limit", MemTrackersPage::ofLimit)
        .number("Limit", line -> limit(line.tracker.limitBytes()))
        .number("Peak", line -> Figures.bytes(line.tracker.peakBytes()))
        .rows(lines);
  }

  private static DomContent bar(Line line) {
    MemoryTracker tracker = line.tracker;
    return tracker.limitBytes() > 0
        ? Bars.ofLimit(tracker.usedBytes(), tracker.limitBytes())
        : Bars.ofWhole(tracker.usedBytes(), line.parentBytes);
  }

  private static DomContent ofLimit(Line line) {
    return Figures.percent(line.tracker.usedBytes(), line.tracker.limitBytes());
  }

  private static DomContent limit(long bytes) {
    return bytes < 0 ? Figures.none() : Figures.bytes(bytes);
  }
}
