package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts maintenance ops by kind. Counting needs no registry, so {@link #publish} may be called
 * later.
 */
public final class MaintenanceMeters {
  private static final class Counts {
    final LongAdder running = new LongAdder();
    final LongAdder done = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder nanos = new LongAdder();
    final LongAdder movedBytes = new LongAdder();
  }

  private final Map<Kind, Counts> kinds = new EnumMap<>(Kind.class);

  MaintenanceMeters() {
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new Counts());
    }
  }

  private Counts counts(Kind kind) {
    return Objects.requireNonNull(kinds.get(kind), "there are counts of each kind");
  }

  void begun(Kind kind) {
    counts(kind).running.increment();
  }

  /**
   * @param movedBytes the estimate of the bytes that the op reads and writes
   */
  void ended(Kind kind, long nanos, long movedBytes, boolean failed) {
    Counts counts = counts(kind);
    counts.running.decrement();
    counts.done.increment();
    counts.nanos.add(nanos);
    if (failed) {
      counts.failed.increment();
    } else {
      counts.movedBytes.add(movedBytes);
    }
  }

  /** Registers the counts. */
  public void publish(MeterRegistry target) {
    kinds.forEach((kind, counts) -> publish(kind, counts, target));
  }

  private static void publish(Kind kind, Counts counts, MeterRegistry target) {
    String name = kind.name().toLowerCase(Locale.ROOT);
    Gauge.builder("kudu.maintenance.running", counts.running, LongAdder::sum)
        .tag("kind", name)
        .register(target);
    counter("kudu.maintenance.failed", counts.failed, name, target);
    counter("kudu.maintenance.moved.bytes", counts.movedBytes, name, target);
    FunctionTimer.builder(
            "kudu.maintenance.time",
            counts.nanos,
            n -> counts.done.sum(),
            LongAdder::sum,
            TimeUnit.NANOSECONDS)
        .tag("kind", name)
        .register(target);
  }

  private static void counter(String name, LongAdder value, String kind, MeterRegistry target) {
    FunctionCounter.builder(name, value, LongAdder::sum).tag("kind", kind).register(target);
  }
}
