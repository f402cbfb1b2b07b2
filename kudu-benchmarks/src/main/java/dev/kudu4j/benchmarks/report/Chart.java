package dev.kudu4j.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Series of numbers over common labels, drawn by Chart.js in the reader's browser as lines or as
 * groups of bars. The vertical axis begins at zero.
 */
public final class Chart {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String[] COLOURS = {
    "#1f6fb4", "#d9541e", "#2b8a3e", "#7b4fa3", "#b8860b", "#008b8b", "#777777"
  };

  /** How the series are drawn. */
  public enum Kind {
    LINE,
    BAR
  }

  private record Series(String name, double[] values) {}

  private final Kind kind;
  private final String title;
  private final String unit;
  private final String labelsTitle;
  private final List<String> labels;
  private final List<Series> series = new ArrayList<>();

  /**
   * @param unit unit of the values
   * @param labelsTitle title of the horizontal axis, such as "seconds"; may be empty
   * @param labels labels on the horizontal axis; each series has one value for each
   */
  public Chart(Kind kind, String title, String unit, String labelsTitle, List<String> labels) {
    this.kind = kind;
    this.title = title;
    this.unit = unit;
    this.labelsTitle = labelsTitle;
    this.labels = List.copyOf(labels);
  }

  /**
   * @param values one per label; NaN for a missing value
   */
  public Chart add(String name, double... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          "%s: %d values for %d labels".formatted(name, values.length, labels.size()));
    }
    series.add(new Series(name, values.clone()));
    return this;
  }

  /** The configuration of the chart in the form that Chart.js expects. */
  ObjectNode toJson() {
    ObjectNode chart = MAPPER.createObjectNode();
    chart.put("type", kind.name().toLowerCase(Locale.ROOT));
    ObjectNode data = chart.putObject("data");
    data.set("labels", MAPPER.valueToTree(labels));
    ArrayNode datasets = data.putArray("datasets");
    for (int i = 0; i < series.size(); i++) {
      describe(series.get(i), COLOURS[i % COLOURS.length], datasets.addObject());
    }
    ObjectNode options = chart.putObject("options");
    options.put("animation", false).put("maintainAspectRatio", false);
    options
        .withObjectProperty("plugins")
        .putObject("title")
        .put("display", true)
        .put("text", title);
    ObjectNode scales = options.putObject("scales");
    axis(scales.putObject("y"), unit).put("beginAtZero", true);
    axis(scales.putObject("x"), labelsTitle);
    return chart;
  }

  private static ObjectNode axis(ObjectNode axis, String title) {
    axis.putObject("title").put("display", !title.isEmpty()).put("text", title);
    return axis;
  }

  private static void describe(Series series, String colour, ObjectNode dataset) {
    dataset.put("label", series.name);
    dataset.put("borderColor", colour).put("backgroundColor", colour);
    dataset.put("pointRadius", 0).put("borderWidth", 1.5).put("spanGaps", true);
    ArrayNode values = dataset.putArray("data");
    for (double value : series.values) {
      if (Double.isNaN(value)) {
        values.addNull();
      } else {
        values.add(value);
      }
    }
  }
}
