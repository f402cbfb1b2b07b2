package dev.kudu4j.server.metrics;

import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.rpc.CallTimeline.Span;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcMetrics;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times calls by service and method. Counting needs no registry, so it starts with the
 * first call and does not delay the startup. {@link #publish} registers the counters later.
 */
public final class RpcMeters implements RpcMetrics {
  private record Method(String service, String name) {}

  private static final Method UNKNOWN = new Method("unknown", "unknown");
  private static final Span[] SPANS = Span.values();

  private static final class Counts {
    final LongAdder received = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LatencyHistogram handling = new LatencyHistogram();
    final LongAdder sampled = new LongAdder();
    final SpanSum[] spans = new SpanSum[Span.values().length];

    Counts() {
      Arrays.setAll(spans, i -> new SpanSum());
    }
  }

  /** The durations of one span of sampled calls. */
  private static final class SpanSum {
    final AtomicReference<@Nullable LatencyHistogram> durations = new AtomicReference<>();
    final LongAdder nanos = new LongAdder();

    void add(long duration) {
      LatencyHistogram.addTo(durations, duration);
      nanos.add(duration);
    }

    Distribution snapshot() {
      return LatencyHistogram.snapshot(durations, TimeUnit.MICROSECONDS);
    }
  }

  /**
   * Counters of the calls of one method.
   *
   * @param failed calls that were rejected or failed; a response that contains an error counts as
   *     answered
   * @param handling durations of the calls
   * @param spans durations of the spans of sampled calls
   */
  public record MethodCounts(
      String service,
      String method,
      long received,
      long answered,
      long failed,
      long bytesIn,
      long bytesOut,
      Distribution handling,
      Map<Span, Distribution> spans) {
    /** The durations of one span of the sampled calls. */
    public Distribution span(Span span) {
      return spans.getOrDefault(span, Distribution.EMPTY);
    }
  }

  private final ConcurrentHashMap<Method, Counts> methods = new ConcurrentHashMap<>();
  private final LongAdder connections = new LongAdder();
  private final LongAdder connectionsAccepted = new LongAdder();
  private final LongAdder localConnectionsAccepted = new LongAdder();
  private final LongAdder evictedConnections = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unauthorized = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LatencyHistogram queueing = new LatencyHistogram();
  private volatile @Nullable MeterRegistry registry; // null until the counters are registered

  @Override
  public void connectionOpened(boolean local) {
    connections.increment();
    connectionsAccepted.increment();
    if (local) {
      localConnectionsAccepted.increment();
    }
  }

  @Override
  public void connectionClosed() {
    connections.decrement();
  }

  @Override
  public void connectionsEvicted(int count) {
    evictedConnections.add(count);
  }

  @Override
  public void callReceived(String service, String method, long frameBytes) {
    Counts counts = counts(service, method);
    counts.received.increment();
    counts.bytesIn.add(frameBytes);
  }

  @Override
  public void callStarted(String service, String method, long queueNanos) {
    queueing.addNanos(queueNanos);
  }

  @Override
  public void callAnswered(
      String service, String method, long handlerNanos, long frameBytes, boolean error) {
    Counts counts = counts(service, method);
    counts.answered.increment();
    counts.handling.addNanos(handlerNanos);
    counts.bytesOut.add(frameBytes);
  }

  @Override
  public void callTimed(String service, String method, CallTimeline timeline) {
    Counts counts = counts(service, method);
    counts.sampled.increment();
    for (Span span : SPANS) {
      long nanos = timeline.nanos(span);
      if (nanos >= 0) {
        counts.spans[span.ordinal()].add(nanos);
      }
    }
  }

  @Override
  public void callExpired(String service, String method) {
    expired.increment();
  }

  @Override
  public void callUnauthorized(String service, String method) {
    unauthorized.increment();
  }

  /**
   * Counts a call that failed. Only existing methods get their own counters, because a hostile
   * client can invent names.
   */
  @Override
  public void callFailed(String service, String method, RpcErrorCode code) {
    if (code == RpcErrorCode.ERROR_SERVER_TOO_BUSY) {
      refused.increment();
    }
    boolean unknownMethod =
        code == RpcErrorCode.ERROR_NO_SUCH_METHOD || code == RpcErrorCode.ERROR_NO_SUCH_SERVICE;
    (unknownMethod ? counts(UNKNOWN) : counts(service, method)).failed.increment();
  }

  private Counts counts(String service, String method) {
    return counts(new Method(service, method));
  }

  private Counts counts(Method key) {
    Counts known = methods.get(key);
    if (known != null) {
      return known;
    }
    Counts fresh = new Counts();
    Counts earlier = methods.putIfAbsent(key, fresh);
    if (earlier == null && registry != null) {
      publish(key, fresh, registry);
    }
    return earlier == null ? fresh : earlier;
  }

  /** The counters of all methods that were called. */
  public List<MethodCounts> methods() {
    List<MethodCounts> all = new ArrayList<>();
    methods.forEach(
        (method, counts) ->
            all.add(
                new MethodCounts(
                    method.service,
                    method.name,
                    counts.received.sum(),
                    counts.answered.sum(),
                    counts.failed.sum(),
                    counts.bytesIn.sum(),
                    counts.bytesOut.sum(),
                    counts.handling.snapshot(),
                    spans(counts))));
    return all;
  }

  private static Map<Span, Distribution> spans(Counts counts) {
    Map<Span, Distribution> spans = new EnumMap<>(Span.class);
    for (Span span : Span.values()) {
      spans.put(span, counts.spans[span.ordinal()].snapshot());
    }
    return spans;
  }

  /** Time that calls waited for a worker thread. */
  public Distribution queueing() {
    return queueing.snapshot();
  }

  /** Reports those metrics of calls that Apache Kudu also has. */
  public void measure(MetricEntity.Readings readings) {
    readings.add(MetricCatalog.RPC_CONNECTIONS_ACCEPTED, connectionsAccepted.sum());
    readings.add(
        MetricCatalog.RPC_CONNECTIONS_ACCEPTED_UNIX_DOMAIN_SOCKET, localConnectionsAccepted.sum());
    readings.add(MetricCatalog.RPCS_TIMED_OUT_IN_QUEUE, expired.sum());
    readings.add(MetricCatalog.RPCS_QUEUE_OVERFLOW, Math.max(0, refused.sum() - expired.sum()));
    readings.add(MetricCatalog.RPC_INCOMING_QUEUE_TIME, queueing.snapshot());
    methods.forEach(
        (method, counts) -> {
          if (!method.equals(UNKNOWN)) {
            readings.add(
                MetricCatalog.HANDLER_LATENCY,
                List.of(method.service, method.name),
                counts.handling.snapshot());
          }
        });
  }

  /** Registers the counters in the registry, including those of methods called later. */
  public void publish(MeterRegistry target) {
    Gauge.builder("kudu.rpc.connections", connections, LongAdder::sum).register(target);
    FunctionCounter.builder("kudu.rpc.calls.unauthorized", unauthorized, LongAdder::sum)
        .register(target);
    FunctionCounter.builder(
            "kudu.rpc.connections.closed.for.room", evictedConnections, LongAdder::sum)
        .register(target);
    registry = target;
    methods.forEach((method, counts) -> publish(method, counts, target));
  }

  private static void publish(Method method, Counts counts, MeterRegistry target) {
    counter("kudu.rpc.calls.received", counts.received, method, target);
    counter("kudu.rpc.calls.failed", counts.failed, method, target);
    counter("kudu.rpc.bytes.received", counts.bytesIn, method, target);
    counter("kudu.rpc.bytes.sent", counts.bytesOut, method, target);
    counter("kudu.rpc.calls.sampled", counts.sampled, method, target);
    for (Span span : SPANS) {
      LongAdder nanos = counts.spans[span.ordinal()].nanos;
      FunctionCounter.builder("kudu.rpc.span.seconds", nanos, sum -> sum.sum() / 1e9)
          .tag("service", method.service)
          .tag("method", method.name)
          .tag("span", span.name().toLowerCase(Locale.ROOT))
          .register(target);
    }
  }

  private static void counter(String name, LongAdder value, Method method, MeterRegistry target) {
    FunctionCounter.builder(name, value, LongAdder::sum)
        .tag("service", method.service)
        .tag("method", method.name)
        .register(target);
  }
}
