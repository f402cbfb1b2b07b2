package dev.kudu4j.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.web.Query;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The same values as JSON and for Prometheus. */
class EntityMetricsTest {
  private static final Distribution APPENDS =
      new Distribution(2, 8, 3, 4.0, 5, List.of(3L, 5L, 5L, 5L, 5L, 5L), List.of());

  private final LatencyHistogram latency = new LatencyHistogram();

  private Stream<MetricEntity> entities() {
    return Stream.of(
        new MetricEntity(
            Metric.Entity.SERVER,
            "kudu.tabletserver",
            Map.of("uuid", "u1"),
            readings -> {
              readings.add(MetricCatalog.UPTIME, 2_500_000);
              readings.add(
                  MetricCatalog.HANDLER_LATENCY,
                  List.of("kudu.tserver.TabletServerService", "Scan"),
                  latency.snapshot());
            }),
        tablet("aaa", "flights", 7),
        tablet("bbb", "say \"hi\"\\", 5));
  }

  private static MetricEntity tablet(String id, String table, long inserted) {
    return new MetricEntity(
        Metric.Entity.TABLET,
        id,
        Map.of("table_name", table),
        readings -> {
          readings.add(MetricCatalog.STATE, "RUNNING");
          readings.add(MetricCatalog.ROWS_INSERTED, inserted);
          readings.add(MetricCatalog.AVERAGE_DISKROWSET_HEIGHT, 1.5);
          readings.add(MetricCatalog.LOG_APPEND_LATENCY, APPENDS);
          readings.add(MetricCatalog.COMPACT_RS_DURATION, Distribution.EMPTY);
        });
  }

  private String json(String... namesAndValues) {
    Map<String, List<String>> query = new HashMap<>(Map.of("compact", List.of("1")));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      query.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
    }
    return MetricsJson.render(entities(), new Query(query)).trim();
  }

  @Test
  void jsonHasTheLayoutOfApacheKudu() {
    latency.addNanos(3_000);
    latency.addNanos(5_000);
    assertThat(json("types", "server"))
        .isEqualTo(
            "[{\"type\":\"server\",\"id\":\"kudu.tabletserver\",\"attributes\":{\"uuid\":\"u1\"},"
                + "\"metrics\":[{\"name\":\"uptime\",\"value\":2500000},"
                + "{\"name\":\"handler_latency_kudu_tserver_TabletServerService_Scan\","
                + "\"total_count\":2,\"min\":3,\"mean\":4.0,\"percentile_75\":5,\"percentile_95\":5,"
                + "\"percentile_99\":5,\"percentile_99_9\":5,\"percentile_99_99\":5,\"max\":5,"
                + "\"total_sum\":8}]}]");
  }

  @Test
  void jsonCanBeFilteredByTypeIdAttributeNameAndLevel() {
    assertThat(json("metrics", "ROWS_,up"))
        .contains("uptime", "rows_inserted")
        .doesNotContain("state", "handler");
    assertThat(json("ids", "bb")).contains("\"bbb\"").doesNotContain("aaa", "server");
    assertThat(json("attributes", "table_name,fli")).contains("aaa").doesNotContain("bbb", "u1");
    assertThat(json("types", "table")).contains("\"aaa\"").doesNotContain("uptime");
    assertThat(json("level", "warn")).isEqualTo("[]");
    assertThat(json("metrics", "nothing")).isEqualTo("[]");
    assertThat(json("ids", "aaa", "metrics", "rows_inserted", "include_schema", "1"))
        .contains(
            "\"label\":\"Rows Inserted\"",
            "\"type\":\"counter\"",
            "\"unit\":\"rows\"",
            "\"level\":\"info\"");
  }

  @Test
  void prometheusHasOneNameForAllTabletsAndSeconds() {
    latency.addNanos(3_000_000);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.getPrometheusRegistry().register(new EntityCollector(this::entities));
    assertThat(registry.scrape().lines())
        .contains(
            "kudu_server_uptime_seconds 2.5",
            "# TYPE kudu_tablet_rows_inserted_total counter",
            "kudu_tablet_rows_inserted_total{table=\"flights\",tablet=\"aaa\"} 7.0",
            "kudu_tablet_rows_inserted_total{table=\"say \\\"hi\\\"\\\\\",tablet=\"bbb\"} 5.0",
            "kudu_tablet_state{state=\"RUNNING\",table=\"flights\",tablet=\"aaa\"} 1.0",
            "kudu_tablet_average_diskrowset_height{table=\"flights\",tablet=\"aaa\"} 1.5",
            "kudu_tablet_log_append_latency_seconds_count{table=\"flights\",tablet=\"aaa\"} 2",
            "kudu_server_handler_latency_seconds_bucket{method=\"Scan\",service=\"kudu.tserver.TabletServerService\",le=\"0.0025\"} 0",
            "kudu_server_handler_latency_seconds_bucket{method=\"Scan\",service=\"kudu.tserver.TabletServerService\",le=\"0.005\"} 1",
            "kudu_server_handler_latency_seconds_count{method=\"Scan\",service=\"kudu.tserver.TabletServerService\"} 1");
  }

  @Test
  void duplicateNamesAreRejected() {
    assertThat(MetricCatalog.all())
        .extracting(metric -> metric.entity() + " " + metric.name())
        .doesNotHaveDuplicates();
    assertThat(MetricCatalog.all()).extracting(Metric::prometheusName).doesNotHaveDuplicates();
    assertThat(MetricCatalog.all()).extracting(Metric::description).noneMatch(String::isBlank);
  }
}
