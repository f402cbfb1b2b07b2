package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RefusedOperation;
import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tserver.tablets.WriteSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One write of a table with claimed indexes: locks the keys of its rows, claims their new values,
 * logs the write with the rows that are refused marked, and releases the values that no row has
 * afterwards. If the server fails at any point, there may be claims without a row, which the next
 * writer of the value finds to be void.
 */
final class ClaimedWrite {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimedWrite.class);

  /** For callers without a deadline. */
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ClaimServices services;
  private final TabletClaims claims;
  private final TabletClaims.Indexes indexes;
  private final WriteSubmission submission;
  private final @Nullable CallTimeline timeline;
  private final ClaimPlan plan;
  private final Set<ByteString> keys;
  private final RowsByKey rows;
  private final long deadlineNanos;
  private final long term;

  /** The rows with a value before the write; read once the keys are locked. */
  private Map<ByteString, RowsByKey.Row> before = Map.of();

  private List<ClaimPlan.Need> needs = List.of();

  /** Whether the rows may have been logged. */
  private volatile boolean logs;

  /**
   * @param submission checked; to be logged in the term in which this server leads now
   */
  ClaimedWrite(
      ClaimServices services,
      TabletClaims claims,
      TabletClaims.Indexes indexes,
      WriteSchema schema,
      WriteSubmission submission,
      @Nullable CallTimeline timeline) {
    this.services = services;
    this.claims = claims;
    this.indexes = indexes;
    this.submission = submission;
    this.timeline = timeline;
    this.plan = new ClaimPlan(indexes, schema, submission.rows());
    this.keys = plan.keys();
    this.rows = services.rows(claims, indexes);
    this.deadlineNanos =
        submission.deadlineNanos() == WriteSubmission.NO_DEADLINE
            ? System.nanoTime() + MAX_NANOS
            : submission.deadlineNanos();
    this.term = submission.term();
  }

  CompletableFuture<RequestResult> run() {
    if (keys.isEmpty()) {
      return log();
    }
    KeyLocks.Lease lease = claims.locks().request(keys);
    Executor executor = services.executor();
    return lease
        .granted()
        .orTimeout(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(
            late ->
                CompletableFuture.failedFuture(
                    KuduException.timedOut(
                        "Other writes of the same rows of tablet %s did not end in time",
                        claims.tablet().tabletId())))
        .thenComposeAsync(granted -> claim(), executor)
        .thenComposeAsync(claimed -> log(), executor)
        .thenApplyAsync(this::release, executor)
        .whenComplete((result, failure) -> unlock(lease, failure));
  }

  /** If it is not known whether the rows will be applied, the keys stay locked until it is. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void unlock(KeyLocks.Lease lease, @Nullable Throwable failure) {
    if (failure == null || !logs) {
      lease.release();
    } else {
      services.settled(claims.tablet()).whenComplete((settled, unknown) -> lease.release());
    }
  }

  // ---------------------------------------------------------------- before the log

  private CompletableFuture<Void> claim() {
    before = rows.read(plan.keysToRead());
    needs = plan.needs(before, rows.projection());
    Map<Integer, List<ClaimPlan.Need>> byIndex = new LinkedHashMap<>();
    needs.forEach(
        need -> byIndex.computeIfAbsent(need.index(), place -> new ArrayList<>()).add(need));
    List<CompletableFuture<Void>> all = new ArrayList<>();
    byIndex.forEach((place, some) -> all.add(claim(place, some)));
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> claim(int place, List<ClaimPlan.Need> some) {
    ValueEncoder index = indexes.encoders().get(place).orElseThrow();
    return services
        .session(
            index,
            claims.nextStamp(term),
            keys,
            (owner, value) -> value.equals(valueOf(owner, place)),
            deadlineNanos)
        .claim(
            some.stream().map(need -> new ClaimSession.Wish(need.owner(), need.value())).toList())
        .thenAccept(
            others -> {
              synchronized (plan) {
                others.keySet().forEach(at -> plan.refuse(some.get(at)));
              }
            });
  }

  /** The value of a row whose key is locked; null if it has none. */
  private @Nullable ByteString valueOf(ByteString key, int place) {
    return plan.values(rows.read(List.of(key)).values(), rows.projection())
        .get(Map.entry(key, place));
  }

  private CompletableFuture<RequestResult> log() {
    logs = true;
    WriteSubmission marked =
        plan.refused().isEmpty()
            ? submission
            : submission.withRows(RefusedOperation.mark(submission.rows(), plan.refused()));
    return claims.tablet().replica().write(marked, timeline);
  }

  // ---------------------------------------------------------------- after it

  /** Releases the values that the rows do not have; others do not wait for that. */
  private RequestResult release(RequestResult result) {
    Set<ByteString> doubtful = doubtful(result);
    try {
      if (!doubtful.isEmpty()) {
        release(doubtful);
      }
    } catch (RuntimeException e) { // the rows are written; others will find the claims void
      LOG.warn("Tablet {}: claims are not released", claims.tablet().tabletId(), e);
    }
    return result;
  }

  /** The keys of rows that may not have the values that they have claimed, or had before. */
  private Set<ByteString> doubtful(RequestResult result) {
    Set<Integer> failed = new HashSet<>(plan.refused().keySet());
    result.errors().forEach(error -> failed.add(error.row()));
    Set<ByteString> doubtful = new HashSet<>();
    for (ClaimPlan.Row row : plan.touched()) {
      boolean surelyWritten = row.type() == OperationType.INSERT && !failed.contains(row.number());
      if (!surelyWritten) {
        doubtful.add(row.key());
      }
    }
    return doubtful;
  }

  private void release(Set<ByteString> some) {
    Collection<RowsByKey.Row> now = rows.read(some).values();
    Map<Map.Entry<ByteString, Integer>, ByteString> present = plan.values(now, rows.projection());
    Map<Map.Entry<ByteString, Integer>, Set<ByteString>> candidates = new HashMap<>();
    plan.values(before.values(), rows.projection())
        .forEach((at, value) -> candidates.computeIfAbsent(at, row -> new HashSet<>()).add(value));
    needs.forEach(
        need ->
            candidates
                .computeIfAbsent(Map.entry(need.owner(), need.index()), row -> new HashSet<>())
                .add(need.value()));
    Stamp stamp = claims.nextStamp(term);
    Map<String, List<ClaimOperation>> byTablet = new HashMap<>();
    candidates.forEach(
        (at, values) -> {
          if (some.contains(at.getKey())) {
            ValueEncoder index = indexes.encoders().get(at.getValue()).orElseThrow();
            values.stream()
                .filter(value -> !Objects.equals(value, present.get(at)))
                .forEach(
                    value ->
                        byTablet
                            .computeIfAbsent(index.tabletOf(value), id -> new ArrayList<>())
                            .add(ClaimOperation.release(value, new Claim(at.getKey(), stamp))));
          }
        });
    byTablet.forEach(services::release);
  }
}
