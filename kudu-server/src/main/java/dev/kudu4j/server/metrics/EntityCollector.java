package dev.kudu4j.server.metrics;

import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricEntity;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Publishes the metrics of the entities to Prometheus. A metric has the same name for all tablets;
 * labels identify the tablet. The collector does not use Micrometer, because tablets are created
 * and deleted by the thousand, and meters of Micrometer stay until they are removed. The collector
 * keeps no state between readings.
 */
final class EntityCollector implements MultiCollector {
  private final Supplier<Stream<MetricEntity>> entities;

  EntityCollector(Supplier<Stream<MetricEntity>> entities) {
    this.entities = entities;
  }

  @Override
  public MetricSnapshots collect() {
    Families families = new Families();
    entities.get().forEach(families::read);
    return new MetricSnapshots(families.snapshots());
  }

  private record Point<T>(Labels labels, T value) {}

  /** All values of one reading, by metric. */
  private static final class Families implements MetricEntity.Readings {
    private final Map<Metric, List<Point<Double>>> numbers = new LinkedHashMap<>();
    private final Map<Metric, List<Point<Distribution>>> distributions = new LinkedHashMap<>();
    private Labels labels = Labels.EMPTY; // of the entity that is being read

    void read(MetricEntity entity) {
      labels =
          switch (entity.type()) {
            case SERVER -> Labels.EMPTY;
            case TABLE -> Labels.of("table", table(entity));
            case TABLET -> Labels.of("table", table(entity), "tablet", entity.id());
          };
      entity.measure().accept(this);
    }

    private static String table(MetricEntity entity) {
      return entity.attributes().getOrDefault("table_name", "");
    }

    @Override
    public void add(Metric metric, long value) {
      add(metric, (double) value);
    }

    @Override
    public void add(Metric metric, double value) {
      add(metric, labels, value);
    }

    @Override
    public void add(Metric metric, String word) {
      add(metric, labels.add(metric.name(), word), 1);
    }

    private void add(Metric metric, Labels all, double value) {
      numbers.computeIfAbsent(metric, m -> new ArrayList<>()).add(new Point<>(all, value));
    }

    @Override
    public void add(Metric metric, List<String> values, Distribution distribution) {
      if (distribution.count() == 0) {
        return; // most tablets have few kinds of events
      }
      Labels all = values.isEmpty() ? labels : labels.merge(Labels.of(metric.labels(), values));
      distributions
          .computeIfAbsent(metric, m -> new ArrayList<>())
          .add(new Point<>(all, distribution));
    }

    List<MetricSnapshot> snapshots() {
      List<MetricSnapshot> all = new ArrayList<>();
      numbers.forEach(
          (metric, points) ->
              all.add(
                  metric.type() == Metric.Type.COUNTER
                      ? counter(metric, points)
                      : gauge(metric, points)));
      distributions.forEach((metric, points) -> all.add(distribution(metric, points)));
      return all;
    }

    private static MetricSnapshot counter(Metric metric, List<Point<Double>> points) {
      CounterSnapshot.Builder snapshot =
          CounterSnapshot.builder().name(metric.prometheusName()).help(metric.description());
      for (Point<Double> point : points) {
        snapshot.dataPoint(
            CounterDataPointSnapshot.builder()
                .labels(point.labels)
                .value(scale(metric) * point.value)
                .build());
      }
      return snapshot.build();
    }

    private static MetricSnapshot gauge(Metric metric, List<Point<Double>> points) {
      GaugeSnapshot.Builder snapshot =
          GaugeSnapshot.builder().name(metric.prometheusName()).help(metric.description());
      for (Point<Double> point : points) {
        snapshot.dataPoint(
            GaugeDataPointSnapshot.builder()
                .labels(point.labels)
                .value(scale(metric) * point.value)
                .build());
      }
      return snapshot.build();
    }

    private static double scale(Metric metric) {
      return metric.secondsPerUnit() == 0 ? 1 : metric.secondsPerUnit();
    }

    private static MetricSnapshot distribution(Metric metric, List<Point<Distribution>> points) {
      boolean bucketed = points.stream().allMatch(point -> !point.value.buckets().isEmpty());
      return bucketed ? histogram(metric, points) : summary(metric, points);
    }

    private static MetricSnapshot histogram(Metric metric, List<Point<Distribution>> points) {
      HistogramSnapshot.Builder snapshot =
          HistogramSnapshot.builder().name(metric.prometheusName()).help(metric.description());
      for (Point<Distribution> point : points) {
        snapshot.dataPoint(
            HistogramDataPointSnapshot.builder()
                .labels(point.labels)
                .sum(scale(metric) * point.value.sum())
                .classicHistogramBuckets(buckets(metric, point.value))
                .build());
      }
      return snapshot.build();
    }

    private static ClassicHistogramBuckets buckets(Metric metric, Distribution values) {
      ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
      long below = 0;
      for (Distribution.Bucket bucket : values.buckets()) {
        buckets.bucket(bucket.upTo() * scale(metric), bucket.count() - below);
        below = bucket.count();
      }
      return buckets.bucket(Double.POSITIVE_INFINITY, values.count() - below).build();
    }

    private static MetricSnapshot summary(Metric metric, List<Point<Distribution>> points) {
      SummarySnapshot.Builder snapshot =
          SummarySnapshot.builder().name(metric.prometheusName()).help(metric.description());
      for (Point<Distribution> point : points) {
        snapshot.dataPoint(
            SummaryDataPointSnapshot.builder()
                .labels(point.labels)
                .count(point.value.count())
                .sum(scale(metric) * point.value.sum())
                .quantiles(quantiles(metric, point.value))
                .build());
      }
      return snapshot.build();
    }

    private static Quantiles quantiles(Metric metric, Distribution values) {
      Quantiles.Builder quantiles = Quantiles.builder();
      for (int i = 0; i < values.percentiles().size(); i++) {
        quantiles.quantile(
            new Quantile(
                Distribution.PERCENTILES.get(i) / 100,
                scale(metric) * values.percentiles().get(i)));
      }
      return quantiles.build();
    }
  }
}
