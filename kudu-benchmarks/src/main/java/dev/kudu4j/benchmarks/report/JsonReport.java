package dev.kudu4j.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** All numbers of a run as JSON. */
public final class JsonReport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Measurements measurements;
  private final Machine machine;
  private final Map<String, Object> settings;

  /**
   * @param machine where it ran
   * @param settings settings of the run
   */
  public JsonReport(Measurements measurements, Machine machine, Map<String, Object> settings) {
    this.measurements = measurements;
    this.machine = machine;
    this.settings = settings;
  }

  public void write(Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), toJson());
  }

  ObjectNode toJson() {
    ObjectNode report = MAPPER.createObjectNode();
    report.set("machine", MAPPER.valueToTree(machine));
    report.set("settings", MAPPER.valueToTree(settings));
    ObjectNode figures = report.putObject("figures");
    for (Figure figure : measurements.figures()) {
      describe(figure, figures.putObject(figure.key()));
    }
    return report;
  }

  private void describe(Figure figure, ObjectNode json) {
    json.put("title", figure.title());
    json.put("unit", figure.unit());
    json.put("more_is_better", figure.moreIsBetter());
    for (Side side : Side.values()) {
      double[] values = measurements.of(side, figure);
      if (values.length > 0) {
        ObjectNode node = json.putObject(side.name().toLowerCase(Locale.ROOT));
        node.put("median", Samples.median(values));
        if (measurements.hasRatio(side)) {
          measurements.ratio(side, figure).ifPresent(ratio -> node.put("ratio", ratio));
        }
        ArrayNode rounds = node.putArray("rounds");
        for (double value : values) {
          rounds.add(value);
        }
      }
    }
  }
}
