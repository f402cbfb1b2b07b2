package dev.kudu4j.tserver.derived;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** The feeds of the derived tablets that this server leads. Thread-safe. */
public final class IndexFeeds implements AutoCloseable {
  private static final double MICROS_PER_SECOND = 1e6;

  private final TabletRegistry tablets;
  private final SourceClient client;
  private final HybridClock clock;
  private final ScheduledExecutorService timer;
  private final Executor executor;
  private final Map<String, FeedPump> byTablet = new ConcurrentHashMap<>();
  private boolean closed;

  /**
   * @param timer never blocked
   * @param executor runs short steps
   */
  public IndexFeeds(
      TabletRegistry tablets,
      TabletLeaders leaders,
      HybridClock clock,
      ScheduledExecutorService timer,
      Executor executor) {
    this.tablets = tablets;
    this.client = new SourceClient(leaders);
    this.clock = clock;
    this.timer = timer;
    this.executor = executor;
  }

  /** Begins to feed a derived tablet when this server leads it, and ends it. */
  public synchronized void tabletChanged(String tabletId) {
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted != null
        && hosted.isOpen()
        && hosted.isRunning()
        && hosted.derivation() != null
        && hosted.replica().isLeader()) {
      lead(hosted);
    } else {
      follow(tabletId);
    }
  }

  private void follow(String tabletId) {
    FeedPump ended = byTablet.remove(tabletId);
    if (ended != null) {
      ended.close();
    }
  }

  private void lead(HostedTablet hosted) {
    long term = hosted.replica().consensus().term();
    FeedPump present = byTablet.get(hosted.tabletId());
    if (!closed && (present == null || present.term() != term)) {
      follow(hosted.tabletId());
      present = new FeedPump(hosted, term, client, clock, timer, executor);
      byTablet.put(hosted.tabletId(), present);
    }
    if (present != null) {
      present.wake();
    }
  }

  /**
   * Registers the metric of the index tablet that is farthest behind, of those that this server
   * leads.
   */
  public void publish(MeterRegistry target) {
    Gauge.builder("kudu.index.lag", this::highestLagSeconds).baseUnit("seconds").register(target);
  }

  private double highestLagSeconds() {
    return byTablet.keySet().stream()
            .map(tablets::find)
            .filter(tablet -> tablet != null && tablet.isOpen())
            .mapToLong(HostedTablet::feedLagMicros)
            .max()
            .orElse(0)
        / MICROS_PER_SECOND;
  }

  @Override
  public synchronized void close() {
    closed = true;
    byTablet.values().forEach(FeedPump::close);
    byTablet.clear();
  }
}
