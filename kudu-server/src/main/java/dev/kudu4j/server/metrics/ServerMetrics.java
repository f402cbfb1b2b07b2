package dev.kudu4j.server.metrics;

import dev.kudu4j.common.rpc.frame.InboundMemory;
import dev.kudu4j.server.memory.MemoryTracker;
import dev.kudu4j.server.memory.ServerMemory;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.tablet.cache.PageCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * All metrics of a server. The metrics of entities, with Apache Kudu's names, are published as JSON
 * and to Prometheus. The metrics that only Kudu4j has, and those of the JVM, are in Micrometer's
 * registry. Values of replicas and memory pools are computed when they are read.
 */
public final class ServerMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final ReplicaDirectory replicas;
  private final ServerMemory memory;
  private final MultiGauge memoryUsed;
  private final List<ReplicaGauge> replicaGauges = new ArrayList<>();

  private final Supplier<Stream<MetricEntity>> entities;

  private record ReplicaGauge(MultiGauge gauge, ToDoubleFunction<TabletReplica> value) {}

  /**
   * @param entities supplies the current entities; must be cheap
   */
  public ServerMetrics(
      RpcMeters rpc,
      ServerMemory memory,
      ReplicaDirectory replicas,
      Supplier<Stream<MetricEntity>> entities) {
    this.replicas = replicas;
    this.memory = memory;
    this.entities = entities;
    registry.getPrometheusRegistry().register(new EntityCollector(entities));
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gc.bindTo(registry);
    rpc.publish(registry);
    memoryUsed = MultiGauge.builder("kudu.memory.used").baseUnit("bytes").register(registry);
    Gauge.builder("kudu.replicas", replicas, directory -> directory.all().size())
        .register(registry);
    Gauge.builder("kudu.replicas.failed", replicas, ServerMetrics::failed).register(registry);
    publish(memory.pages());
    publish(memory.inbound());
    FunctionCounter.builder(
            "kudu.writes.refused.memory", memory.writes(), WriteAdmission::refusedWrites)
        .register(registry);
    Gauge.builder("kudu.applies.waiting", memory.applying(), ApplyGate::waiting).register(registry);
    FunctionCounter.builder("kudu.applies.waited", memory.applying(), ApplyGate::waits)
        .register(registry);
    FunctionCounter.builder("kudu.applies.overdrawn", memory.applying(), ApplyGate::overdrafts)
        .register(registry);
    replicaGauge("kudu.replica.leader", replica -> replica.isLeader() ? 1 : 0);
    replicaGauge("kudu.replica.entries", TabletReplica::entriesSubmitted);
    replicaGauge("kudu.replica.requests", TabletReplica::requestsAdmitted);
    replicaGauge("kudu.replica.pending.bytes", TabletReplica::pendingBytes);
    replicaGauge("kudu.replica.unflushed.log.bytes", TabletReplica::unflushedLogBytes);
  }

  private void publish(PageCache pages) {
    counter("kudu.page.cache.hits", pages, PageCache.Statistics::hits);
    counter("kudu.page.cache.misses", pages, PageCache.Statistics::misses);
    counter("kudu.page.cache.evictions", pages, PageCache.Statistics::evictions);
    Gauge.builder("kudu.page.cache.used", pages, cache -> cache.statistics().bytes())
        .baseUnit("bytes")
        .register(registry);
    Gauge.builder("kudu.page.cache.capacity", pages, cache -> cache.statistics().capacityBytes())
        .baseUnit("bytes")
        .register(registry);
  }

  private void publish(InboundMemory inbound) {
    Gauge.builder("kudu.rpc.inbound.waiting", inbound, InboundMemory::waitingConnections)
        .register(registry);
    FunctionCounter.builder("kudu.rpc.inbound.stalled", inbound, InboundMemory::evictions)
        .register(registry);
  }

  private void counter(String name, PageCache pages, ToDoubleFunction<PageCache.Statistics> value) {
    FunctionCounter.builder(name, pages, cache -> value.applyAsDouble(cache.statistics()))
        .register(registry);
  }

  private static double failed(ReplicaDirectory directory) {
    return directory.all().stream()
        .filter(replica -> replica.lifeCycleState() == TabletReplica.State.FAILED)
        .count();
  }

  private void replicaGauge(String name, ToDoubleFunction<TabletReplica> value) {
    replicaGauges.add(new ReplicaGauge(MultiGauge.builder(name).register(registry), value));
  }

  /** The registry in which other modules register their meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** The response of {@code /metrics_prometheus}. */
  public synchronized String scrape() {
    List<MultiGauge.Row<?>> pools = new ArrayList<>();
    for (MemoryTracker tracker : memory.trackers()) {
      pools.add(MultiGauge.Row.of(Tags.of("pool", tracker.name()), tracker.usedBytes()));
    }
    memoryUsed.register(pools, true);
    for (ReplicaGauge gauge : replicaGauges) {
      List<MultiGauge.Row<?>> rows = new ArrayList<>();
      for (TabletReplica replica : replicas.all()) {
        rows.add(
            MultiGauge.Row.of(
                Tags.of("tablet", replica.tabletId()), gauge.value.applyAsDouble(replica)));
      }
      gauge.gauge.register(rows, true);
    }
    return registry.scrape();
  }

  /** The response of {@code /metrics}. */
  public String json(Query query) {
    return MetricsJson.render(entities.get(), query);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
