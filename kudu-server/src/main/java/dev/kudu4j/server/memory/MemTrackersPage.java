package dev.kudu4j.server.memory;

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
    html.append("<!doctype html><html><head><meta charset=\"utf-8\"><title>Memory</title></head>")
        .append("<body><h1>Memory usage by subsystem</h1><table>")
        .append("<tr><th align=\"left\">Id</th><th align=\"right\">Limit</th>")
        .append("<th align=\"right\">Current</th><th align=\"right\">Peak</th></tr>");
    Map<String, Integer> depths = new HashMap<>();
    for (MemoryTracker tracker : inTreeOrder(trackers)) {
      int depth = depths.getOrDefault(tracker.parent(), -1) + 1;
      depths.put(tracker.name(), depth);
      append(html, tracker, depth);
    }
    return html.append("</table></body></html>\n").toString();
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
        .append(20 * depth)
        .append("px\">")
        .append(WebServer.escape(name))
        .append("</td>");
    cell(html, tracker.limitBytes() < 0 ? "none" : mebibytes(tracker.limitBytes()));
    cell(html, mebibytes(tracker.usedBytes()));
    cell(html, mebibytes(tracker.peakBytes()));
    html.append("</tr>");
  }

  private static void cell(StringBuilder html, String text) {
    html.append("<td align=\"right\">").append(text).append("</td>");
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f MB", bytes / (double) (1 << 20));
  }
}
