package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.LoggerFactory;

/**
 * What claims need of the server.
 *
 * @param executor reads rows; borrowed
 * @param timer never blocked; borrowed
 * @param allocator of rows that are read; borrowed
 */
record ClaimServices(
    ClaimClient client,
    HybridClock clock,
    Executor executor,
    ScheduledExecutorService timer,
    BufferAllocator allocator) {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ClaimServices.class));

  private static final long RELEASE_SECONDS = 10;
  private static final long SETTLE_SECONDS = 60;

  /** Reads the indexed columns of the rows of a tablet. */
  RowsByKey rows(TabletClaims claims, TabletClaims.Indexes indexes) {
    List<Integer> columns = new ArrayList<>();
    indexes.enforced().forEach(index -> columns.addAll(index.columnIds()));
    return new RowsByKey(
        claims.tablet().tablet(),
        indexes.schema(),
        columns.stream().distinct().toList(),
        allocator);
  }

  ClaimSession session(
      ValueEncoder index,
      Stamp stamp,
      Set<ByteString> locked,
      BiFunction<ByteString, ByteString, Boolean> hasValue,
      long deadlineNanos) {
    return new ClaimSession(client, executor, timer, index, stamp, locked, hasValue, deadlineNanos);
  }

  /**
   * Completes when all rows that this leader has logged before are applied, or if it leads no more.
   */
  CompletableFuture<Void> settled(HostedTablet tablet) {
    return tablet
        .replica()
        .safeTime()
        .whenReadable(clock.now(), TimeUnit.SECONDS.toNanos(SETTLE_SECONDS));
  }

  /**
   * Releases values. Nobody waits: a claim that stays is found to be void when it is in the way.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  void release(String claimTablet, List<ClaimOperation> operations) {
    client
        .execute(
            claimTablet, operations, System.nanoTime() + TimeUnit.SECONDS.toNanos(RELEASE_SECONDS))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && !ClaimClient.isGone(failure)) {
                LOG.warn(
                    "Tablet {}: claims of values that no row has any more stay: {}",
                    claimTablet,
                    Failures.unwrap(failure).getMessage());
              }
            });
  }
}
