package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Activity;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Exports the activity of a client as Micrometer meters. Only this class needs {@code
 * io.micrometer:micrometer-core}; programs that use this class must add that dependency.
 *
 * <pre>{@code
 * KuduClientMetrics metrics = new KuduClientMetrics(client);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Several clients in one registry need distinct tags. Requests are counted from {@link #bindTo}
 * to {@link #close}; the counts remain in the registry. Thread-safe.
 */
public final class KuduClientMetrics implements MeterBinder, AutoCloseable {
  private static final String PREFIX = "kudu.client.";

  private final AsyncKuduClient client;
  private final Activity activity;
  private final Tags tags;
  private final List<Requests> bound = new ArrayList<>();

  public KuduClientMetrics(KuduClient client) {
    this(client.asyncClient(), List.of());
  }

  /**
   * @param tags added to every meter
   */
  public KuduClientMetrics(KuduClient client, Iterable<Tag> tags) {
    this(client.asyncClient(), tags);
  }

  public KuduClientMetrics(AsyncKuduClient client) {
    this(client, List.of());
  }

  /**
   * @param tags added to every meter
   */
  public KuduClientMetrics(AsyncKuduClient client, Iterable<Tag> tags) {
    this.client = client;
    this.activity = client.cluster().activity();
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Requests requests = new Requests(registry, tags);
    synchronized (bound) {
      bound.add(requests);
    }
    activity.add(requests);
    gauge(registry, "requests.active", null, "Requests in flight", c -> activity.requests());
    gauge(registry, "connections", null, "Connections to servers", c -> activity.connections());
    gauge(registry, "scanners.open", null, "Open scanners", c -> activity.scanners());
    gauge(registry, "sessions.open", null, "Open sessions", AsyncKuduClient::openSessions);
    gauge(
        registry,
        "operations.pending",
        null,
        "Operations accepted by sessions and not answered yet",
        AsyncKuduClient::pendingOperations);
    gauge(
        registry,
        "operations.buffered",
        BaseUnits.BYTES,
        "Packed bytes of rows that have no response yet",
        AsyncKuduClient::pendingBytes);
    gauge(
        registry,
        "locations.cached",
        null,
        "Tablets, and gaps between tablets, whose location is cached",
        c -> c.cluster().knownLocations());
    locations(registry, "cache", Activity::locationsKnown);
    locations(registry, "master", Activity::locationsAsked);
    bytes(registry, "sent", Activity::sentBytes);
    bytes(registry, "received", Activity::receivedBytes);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String unit,
      String description,
      ToDoubleFunction<AsyncKuduClient> value) {
    Gauge.builder(PREFIX + name, client, value)
        .tags(tags)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  private void locations(
      MeterRegistry registry, String answeredBy, ToDoubleFunction<Activity> count) {
    FunctionCounter.builder(PREFIX + "locations.lookups", activity, count)
        .tags(tags)
        .tag("answered.by", answeredBy)
        .description("Lookups of tablet locations, except for writes to cached tablets")
        .register(registry);
  }

  private void bytes(MeterRegistry registry, String direction, ToDoubleFunction<Activity> count) {
    FunctionCounter.builder(PREFIX + "network." + direction, activity, count)
        .tags(tags)
        .baseUnit(BaseUnits.BYTES)
        .description("Bytes over all connections, frame headers included")
        .register(registry);
  }

  /** Stops counting requests. A second close does nothing. */
  @Override
  public void close() {
    synchronized (bound) {
      bound.forEach(activity::remove);
      bound.clear();
    }
  }

  /** Times requests in one registry. */
  private static final class Requests implements Activity.Listener {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, Map<String, Timer>> timers = new ConcurrentHashMap<>();
    private final Map<String, Counter> retries = new ConcurrentHashMap<>();

    Requests(MeterRegistry registry, Tags tags) {
      this.registry = registry;
      this.tags = tags;
    }

    @Override
    public void requested(String method, String outcome, long nanos) {
      timers
          .computeIfAbsent(method, m -> new ConcurrentHashMap<>())
          .computeIfAbsent(outcome, o -> timer(method, o))
          .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(String method, String outcome) {
      return Timer.builder(PREFIX + "requests")
          .tags(tags)
          .tag("method", method)
          .tag("outcome", outcome)
          .description("Duration of requests, from the first try to the end of the last try")
          .register(registry);
    }

    @Override
    public void triedAgain(String method) {
      retries.computeIfAbsent(method, this::counter).increment();
    }

    private Counter counter(String method) {
      return Counter.builder(PREFIX + "retries")
          .tags(tags)
          .tag("method", method)
          .description("Retries of requests")
          .register(registry);
    }
  }
}
