package dev.kudu4j.server.metrics;

import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts calls by service and method. Counting needs no registry, so that it begins with the first
 * call and costs the start-up nothing; {@link #publish} comes later.
 */
public final class RpcMeters implements RpcMetrics {
  private record Method(String service, String name) {}

  private static final class Counts {
    final LongAdder received = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LongAdder queueNanos = new LongAdder();
    final LongAdder handlerNanos = new LongAdder();
  }

  private final ConcurrentHashMap<Method, Counts> methods = new ConcurrentHashMap<>();
  private final LongAdder connections = new LongAdder();
  private volatile MeterRegistry registry;

  @Override
  public void connectionOpened() {
    connections.increment();
  }

  @Override
  public void connectionClosed() {
    connections.decrement();
  }

  @Override
  public void callReceived(String service, String method, long frameBytes) {
    Counts counts = counts(service, method);
    counts.received.increment();
    counts.bytesIn.add(frameBytes);
  }

  @Override
  public void callStarted(String service, String method, long queueNanos) {
    counts(service, method).queueNanos.add(queueNanos);
  }

  @Override
  public void callAnswered(
      String service, String method, long handlerNanos, long frameBytes, boolean error) {
    Counts counts = counts(service, method);
    counts.answered.increment();
    counts.handlerNanos.add(handlerNanos);
    counts.bytesOut.add(frameBytes);
  }

  /** Strangers may name any method; only those that exist are counted by name. */
  @Override
  public void callFailed(String service, String method, RpcErrorCode code) {
    boolean stranger =
        code == RpcErrorCode.ERROR_NO_SUCH_METHOD || code == RpcErrorCode.ERROR_NO_SUCH_SERVICE;
    (stranger ? counts("unknown", "unknown") : counts(service, method)).failed.increment();
  }

  private Counts counts(String service, String method) {
    Method key = new Method(service, method);
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

  /** Shows the counts, those that come later too, in the registry. */
  public void publish(MeterRegistry target) {
    Gauge.builder("kudu.rpc.connections", connections, LongAdder::sum).register(target);
    registry = target;
    methods.forEach((method, counts) -> publish(method, counts, target));
  }

  private static void publish(Method method, Counts counts, MeterRegistry target) {
    counter("kudu.rpc.calls.received", counts.received, method, target);
    counter("kudu.rpc.calls.failed", counts.failed, method, target);
    counter("kudu.rpc.bytes.received", counts.bytesIn, method, target);
    counter("kudu.rpc.bytes.sent", counts.bytesOut, method, target);
    timer("kudu.rpc.queue.time", counts.received, counts.queueNanos, method, target);
    timer("kudu.rpc.handler.time", counts.answered, counts.handlerNanos, method, target);
  }

  private static void counter(String name, LongAdder value, Method method, MeterRegistry target) {
    FunctionCounter.builder(name, value, LongAdder::sum)
        .tag("service", method.service)
        .tag("method", method.name)
        .register(target);
  }

  private static void timer(
      String name, LongAdder count, LongAdder nanos, Method method, MeterRegistry target) {
    FunctionTimer.builder(name, nanos, n -> count.sum(), LongAdder::sum, TimeUnit.NANOSECONDS)
        .tag("service", method.service)
        .tag("method", method.name)
        .register(target);
  }
}
