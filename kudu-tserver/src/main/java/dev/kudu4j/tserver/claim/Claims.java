package dev.kudu4j.tserver.claim;

import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import dev.kudu4j.tserver.tablets.WriteSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The claims of this server's tablets: of tables, and of indexes. Thread-safe. */
public final class Claims {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private final TabletRegistry tablets;
  private final ClaimServices services;
  private final Map<String, TabletClaims> byTablet = new ConcurrentHashMap<>();
  private final Map<String, ClaimQueue> queues = new ConcurrentHashMap<>();

  /** By tablet: the builds that this server has begun as its leader. */
  private final Map<String, List<ClaimBuild>> builds = new ConcurrentHashMap<>();

  private volatile Consumer<String> reporter = tabletId -> {};

  /**
   * @param executor reads rows
   * @param timer never blocked
   * @param allocator borrowed
   */
  public Claims(
      TabletRegistry tablets,
      TabletLeaders leaders,
      HybridClock clock,
      Executor executor,
      ScheduledExecutorService timer,
      BufferAllocator allocator) {
    this.tablets = tablets;
    this.services =
        new ClaimServices(new ClaimClient(leaders, clock), clock, executor, timer, allocator);
  }

  /** Sets what runs when there is something about a tablet to report to the masters. */
  public void onProgress(Consumer<String> listener) {
    reporter = listener;
  }

  /**
   * Logs rows, after their values have been claimed if the table has such indexes. Never blocks.
   *
   * @param rows checked, in no transaction
   */
  public CompletableFuture<RequestResult> write(
      HostedTablet tablet,
      WriteSchema schema,
      WriteSubmission rows,
      @Nullable CallTimeline timeline) {
    TabletClaims claims = of(tablet);
    // A later leader may know an index that this one does not know.
    WriteSubmission inTerm = rows.inTerm(tablet.replica().leadingTerm());
    TabletClaims.Indexes indexes = claims.begin();
    CompletableFuture<RequestResult> written;
    try {
      written =
          indexes.isEmpty()
              ? tablet.replica().write(inTerm, timeline)
              : new ClaimedWrite(services, claims, indexes, schema, inTerm, timeline).run();
    } catch (RuntimeException e) {
      indexes.ended();
      throw e;
    }
    return written.whenComplete((result, failure) -> end(tablet, indexes, failure));
  }

  /** A write that has timed out may still be applied. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void end(HostedTablet tablet, TabletClaims.Indexes indexes, @Nullable Throwable failure) {
    boolean mayBeApplied =
        failure != null
            && !(Failures.unwrap(failure) instanceof KuduException known
                && known.code() != StatusCode.TIMED_OUT);
    if (mayBeApplied) {
      services.settled(tablet).whenComplete((settled, unknown) -> indexes.ended());
    } else {
      indexes.ended();
    }
  }

  TabletClaims of(HostedTablet tablet) {
    TabletClaims known = byTablet.get(tablet.tabletId());
    if (known == null || known.tablet() != tablet) {
      known =
          byTablet.compute(
              tablet.tabletId(),
              (id, present) ->
                  present != null && present.tablet() == tablet
                      ? present
                      : new TabletClaims(tablet, services.executor()));
    }
    return known;
  }

  /** The queue of a tablet with claims. */
  ClaimQueue queue(HostedTablet tablet) {
    return queues.computeIfAbsent(
        tablet.tabletId(), id -> new ClaimQueue(tablet, services.allocator(), services.executor()));
  }

  ClaimServices services() {
    return services;
  }

  /** Begins to claim the values of a tablet's rows when this server leads it. */
  public void tabletChanged(String tabletId) {
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted == null) {
      byTablet.remove(tabletId);
      queues.remove(tabletId);
      builds.remove(tabletId);
    } else if (hosted.isOpen() && hosted.isRunning() && hosted.replica().isLeader()) {
      try {
        build(of(hosted), hosted.replica().leadingTerm());
      } catch (KuduException e) {
        LOG.debug("Tablet {}: this server does not lead it any more", tabletId, e);
      }
    }
  }

  private void build(TabletClaims claims, long term) {
    for (ValueEncoder index : claims.indexes().enforced()) {
      if (index.index().definition().uniqueness() == Uniqueness.ENFORCED) {
        build(claims, index.index().definition().id(), term);
      }
    }
  }

  private void build(TabletClaims claims, int indexId, long term) {
    String tabletId = claims.tablet().tabletId();
    ClaimBuild build =
        new ClaimBuild(services, claims, indexId, term, () -> reporter.accept(tabletId));
    boolean[] begun = {false};
    builds.compute(
        tabletId,
        (id, present) -> {
          List<ClaimBuild> kept = new ArrayList<>(present == null ? List.of() : present);
          if (kept.stream().noneMatch(one -> one.indexId() == indexId && one.term() == term)) {
            kept.removeIf(one -> one.indexId() == indexId);
            kept.add(build);
            begun[0] = true;
          }
          return kept;
        });
    if (begun[0]) {
      build.start();
    }
  }
}
