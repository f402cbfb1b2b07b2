package dev.kudu4j.server.metrics;

import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.Metric.Entity;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import java.util.Locale;

/** The part of docs/metrics.md that is written from the catalog itself. */
public final class MetricsReference {
  /** What stands before it in the document. */
  public static final String BEGIN = "<!-- from the catalog; a test keeps it current -->\n";

  /** What stands after it. */
  public static final String END = "<!-- end of the catalog -->\n";

  private MetricsReference() {}

  /** A table for each kind of entity. */
  public static String markdown() {
    StringBuilder page = new StringBuilder();
    for (Entity entity : Entity.values()) {
      page.append("\n### Of a ").append(entity.word()).append("\n\n");
      page.append(
          "| name in `/metrics` | name in `/metrics_prometheus` | kind | unit | level | |\n");
      page.append("|---|---|---|---|---|---|\n");
      for (Metric metric : MetricCatalog.all()) {
        if (metric.entity() == entity) {
          row(page, metric);
        }
      }
    }
    return page.append('\n').toString();
  }

  private static void row(StringBuilder page, Metric metric) {
    page.append("| `").append(metric.name());
    metric.labels().forEach(label -> page.append('_').append(label.toUpperCase(Locale.ROOT)));
    page.append("` | `").append(metric.prometheusName());
    page.append(metric.type() == Metric.Type.COUNTER ? "_total" : "");
    page.append("` | ").append(metric.type().word());
    page.append(" | ").append(metric.unit());
    page.append(" | ").append(metric.level().word());
    page.append(" | ").append(metric.description()).append(" |\n");
  }
}
