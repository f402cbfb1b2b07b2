package dev.kudu4j.server.metrics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.web.Query;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics}: the metrics of each entity as JSON, in the format of Apache Kudu.
 *
 * <pre>
 * [ { "type": "tablet", "id": "4f2a...", "attributes": { "table_name": "flights", ... },
 *     "metrics": [ { "name": "rows_inserted", "value": 336776 },
 *                  { "name": "log_append_latency", "total_count": 12, "min": 4, ... } ] } ]
 * </pre>
 *
 * <p>{@code include_schema=1} adds the type, unit, level and description of each metric; {@code
 * compact=1} omits white space. {@link MetricFilter} selects metrics.
 */
final class MetricsJson implements MetricEntity.Readings {
  private static final JsonFactory JSON = new JsonFactory();
  private static final List<String> PERCENTILE_NAMES =
      List.of(
          "", // Apache Kudu does not publish the median
          "percentile_75",
          "percentile_95",
          "percentile_99",
          "percentile_99_9",
          "percentile_99_99");

  private final MetricFilter filter;
  private final boolean withSchema;
  private final JsonGenerator json;
  private @Nullable MetricEntity entity; // the entity that is being written
  private boolean begun; // whether a metric of the entity was written

  private MetricsJson(MetricFilter filter, boolean withSchema, JsonGenerator json) {
    this.filter = filter;
    this.withSchema = withSchema;
    this.json = json;
  }

  static String render(Stream<MetricEntity> entities, Query query) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      if (!query.flag("compact", false)) {
        json.useDefaultPrettyPrinter();
      }
      MetricsJson writer =
          new MetricsJson(MetricFilter.of(query), query.flag("include_schema", false), json);
      json.writeStartArray();
      entities.forEach(writer::write);
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private void write(MetricEntity next) {
    if (!filter.wants(next)) {
      return;
    }
    entity = next;
    begun = false;
    next.measure().accept(this);
    if (begun) {
      write(
          () -> {
            json.writeEndArray();
            json.writeEndObject();
          });
    }
  }

  private interface Writing {
    void write() throws IOException;
  }

  private static void write(Writing writing) {
    try {
      writing.write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes one metric if the filter selects it: its name, its schema if requested, and its value,
   * which {@code value} writes.
   */
  private void number(Metric metric, String name, Writing value) {
    if (!filter.wants(metric.level(), name)) {
      return;
    }
    write(
        () -> {
          if (!begun) {
            beginEntity();
          }
          json.writeStartObject();
          json.writeStringField("name", name);
          if (withSchema) {
            schema(metric);
          }
          value.write();
          json.writeEndObject();
        });
  }

  private void beginEntity() throws IOException {
    MetricEntity begins = Objects.requireNonNull(entity, "a metric belongs to an entity");
    begun = true;
    json.writeStartObject();
    json.writeStringField("type", begins.type().word());
    json.writeStringField("id", begins.id());
    json.writeObjectFieldStart("attributes");
    for (var attribute : begins.attributes().entrySet()) {
      json.writeStringField(attribute.getKey(), attribute.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("metrics");
  }

  private void schema(Metric metric) throws IOException {
    json.writeStringField("label", metric.label());
    json.writeStringField("type", metric.type().word());
    json.writeStringField("unit", metric.unit());
    json.writeStringField("description", metric.description());
    json.writeStringField("level", metric.level().word());
    if (metric.type() == Metric.Type.HISTOGRAM) {
      json.writeNumberField("max_trackable_value", LatencyHistogram.MAX_MICROS);
      json.writeNumberField("num_significant_digits", LatencyHistogram.DIGITS);
    }
  }

  @Override
  public void add(Metric metric, long value) {
    number(metric, metric.name(), () -> json.writeNumberField("value", value));
  }

  @Override
  public void add(Metric metric, double value) {
    number(metric, metric.name(), () -> json.writeNumberField("value", value));
  }

  @Override
  public void add(Metric metric, String word) {
    number(metric, metric.name(), () -> json.writeStringField("value", word));
  }

  @Override
  public void add(Metric metric, List<String> labels, Distribution values) {
    number(metric, metric.nameWith(labels), () -> distribution(values));
  }

  private void distribution(Distribution values) throws IOException {
    json.writeNumberField("total_count", values.count());
    json.writeNumberField("min", values.min());
    json.writeNumberField("mean", values.mean());
    for (int i = 1; i < PERCENTILE_NAMES.size(); i++) {
      json.writeNumberField(PERCENTILE_NAMES.get(i), values.percentiles().get(i));
    }
    json.writeNumberField("max", values.max());
    json.writeNumberField("total_sum", values.sum());
  }
}
