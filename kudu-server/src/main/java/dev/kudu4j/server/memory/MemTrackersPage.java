package dev.kudu4j.server.memory;

import dev.kudu4j.server.web.HtmlPage;
import dev.kudu4j.server.web.WebServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code /mem-trackers}: who uses how much memory, as a tree. */
public final class MemTrackersPage {
  private MemTrackersPage() {}

  public static WebServer.Page of(ServerMemory memory) {
    return WebServer.Page.html("/mem-trackers", "Memory", () -> html(memory.trackers()));
  }

  static String html(List<MemoryTracker> trackers) {
    StringBuilder html = new StringBuilder();
    html.append(
        "<p>Each line contains those that stand further right below it. At its limit a part refuses"
            + " more; docs/operations.md says what happens then.</p>");
    html.append("<table><tr><th>Part<th class=number>Limit<th class=number>Current")
        .append("<th class=number>Of limit<th class=number>Peak</tr>\n");
    Map<String, Integer> depths = new HashMap<>();
    for (MemoryTracker tracker : inTreeOrder(trackers)) {
      int depth = depths.getOrDefault(tracker.parent(), -1) + 1;
      depths.put(tracker.name(), depth);
      append(html, tracker, depth);
    }
    return HtmlPage.of("Memory usage by subsystem", html.append("</table>").toString());
  }

  /** Each parent right before its children. */
  private static List<MemoryTracker> inTreeOrder(List<MemoryTracker> trackers) {
    List<MemoryTracker> ordered = new ArrayList<>(trackers.size());
    addBelow("", trackers, ordered);
    return ordered;
  }

  private static void addBelow(
      String parent, List<MemoryTracker> trackers, List<MemoryTracker> ordered) {
    for (MemoryTracker tracker : trackers) {
      if (tracker.parent().equals(parent)) {
        ordered.add(tracker);
        addBelow(tracker.name(), trackers, ordered);
      }
    }
  }

  private static void append(StringBuilder html, MemoryTracker tracker, int depth) {
    String name = tracker.name().substring(tracker.name().lastIndexOf('/') + 1);
    html.append("<tr><td style=\"padding-left:")
        .append(10 + 20 * depth)
        .append("px\">")
        .append(WebServer.escape(name));
    long limit = tracker.limitBytes();
    cell(html, limit < 0 ? "<span class=quiet>none</span>" : mebibytes(limit));
    cell(html, mebibytes(tracker.usedBytes()));
    cell(html, limit <= 0 ? "" : 100 * tracker.usedBytes() / limit + " %");
    cell(html, mebibytes(tracker.peakBytes()));
    html.append("</tr>\n");
  }

  private static void cell(StringBuilder html, String text) {
    html.append("<td class=number>").append(text);
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,.2f MB", bytes / (double) (1 << 20));
  }
}
