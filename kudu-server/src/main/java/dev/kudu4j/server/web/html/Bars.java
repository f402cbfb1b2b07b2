package dev.kudu4j.server.web.html;

import static j2html.TagCreator.tag;

import j2html.tags.DomContent;
import java.util.Locale;

/** A usage bar. It is an SVG drawing, which needs neither script nor inline style. */
public final class Bars {
  private static final double HIGH_PERCENT = 80;
  private static final double FULL_PERCENT = 95;

  private Bars() {}

  /** A bar for the usage of a limit. The colour changes when little of the limit is left. */
  public static DomContent ofLimit(long used, long limit) {
    double percent = percent(used, limit);
    String fill = percent >= FULL_PERCENT ? "full" : percent >= HIGH_PERCENT ? "high" : "fine";
    return bar(percent, fill);
  }

  /** A bar for a part of a whole. The colour does not depend on the size of the part. */
  public static DomContent ofWhole(long part, long whole) {
    return bar(percent(part, whole), "share");
  }

  private static double percent(long part, long whole) {
    return whole <= 0 ? 0 : Math.max(0, Math.min(100, 100.0 * part / whole));
  }

  private static DomContent bar(double percent, String fill) {
    String width = String.format(Locale.ROOT, "%.2f", percent);
    return tag("svg")
        .withClass("bar")
        .attr("viewBox", "0 0 100 10")
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .attr("aria-label", String.format(Locale.ROOT, "%.0f percent", percent))
        .with(rectangle("100", "track"), rectangle(width, fill));
  }

  private static DomContent rectangle(String width, String style) {
    return tag("rect").attr("width", width).attr("height", "10").withClass(style);
  }
}
