package dev.kudu4j.server.metrics;

import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.Metric.Entity;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import java.util.Locale;

/** Generates the tables of docs/metrics.md from the catalog. */
public final class MetricsReference {
  /** The line before the tables. */
  public static final String BEGIN =
      "<!-- generated from MetricCatalog; a test checks that it is current -->\n";

  /** The line after the tables. */
  public static final String END = "<!-- end of the generated tables -->\n";

  private MetricsReference() {}

  /** A table for each kind of entity. */
  public static String markdown() {
    StringBuilder page = new StringBuilder();
    for (Entity entity : Entity.values()) {
      page.append("\n### Metrics of a ").append(entity.word()).append("\n\n");
      page.append(
          "| name in `/metrics` | name in `/metrics_prometheus` | type | unit | level | meaning"
              + " |\n");
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
