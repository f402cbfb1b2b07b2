package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tserver.claim.ClaimClient.Other;
import dev.kudu4j.tserver.claim.ClaimClient.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Claims values of one index for rows of one tablet, whose keys are locked.
 *
 * <pre>
 *   claim --> granted
 *     ^  |
 *     |  +--> claimed by another row --> ask the tablet of that row
 *     |                                     |    |     |
 *     +----------- void -------------------+     |     +--> the row has the value: refused
 *     +----------- a write is under way: wait ---+
 * </pre>
 *
 * <p>Used once.
 */
final class ClaimSession {
  private static final int MAX_OPERATIONS = 4_096;
  private static final int ROUNDS_AT_ONCE = 3;
  private static final long FIRST_WAIT_MILLIS = 2;
  private static final long MAX_WAIT_MILLIS = 50;

  /**
   * How long a write waits for another one that may get the value. Two writes may wait for each
   * other.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ClaimClient client;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final ValueEncoder index;
  private final Stamp stamp;
  private final Set<ByteString> locked;
  private final BiFunction<ByteString, ByteString, Boolean> hasValue;
  private final long deadlineNanos;
  private long waitsSinceNanos; // 0 until a write under way is in the way

  /** By the place of the claim: the row that has the value. */
  private final Map<Integer, Other> refused = new HashMap<>();

  private boolean undecided;
  private int rounds;

  /**
   * A value to claim.
   *
   * @param owner the key of the row
   */
  record Wish(ByteString owner, ByteString value) {}

  /**
   * @param stamp of the claims
   * @param locked the keys that the caller has locked: nobody else can change their rows
   * @param executor runs {@code hasValue}
   * @param hasValue whether the locked row with a key has a value; may read
   */
  ClaimSession(
      ClaimClient client,
      Executor executor,
      ScheduledExecutorService timer,
      ValueEncoder index,
      Stamp stamp,
      Set<ByteString> locked,
      BiFunction<ByteString, ByteString, Boolean> hasValue,
      long deadlineNanos) {
    this.client = client;
    this.executor = executor;
    this.timer = timer;
    this.index = index;
    this.stamp = stamp;
    this.locked = locked;
    this.hasValue = hasValue;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Claims the values.
   *
   * @return the rows that have values already, by the place of the wish
   */
  CompletableFuture<Map<Integer, Other>> claim(List<Wish> wishes) {
    Map<Integer, ClaimOperation> open = new LinkedHashMap<>();
    for (int i = 0; i < wishes.size(); i++) {
      Wish wish = wishes.get(i);
      open.put(i, ClaimOperation.claim(wish.value(), new Claim(wish.owner(), stamp)));
    }
    return claim(open, FIRST_WAIT_MILLIS).thenApply(done -> refused);
  }

  private CompletableFuture<Void> claim(Map<Integer, ClaimOperation> open, long waitMillis) {
    if (open.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Map<String, List<Integer>> byTablet = new HashMap<>();
    open.forEach(
        (place, operation) ->
            byTablet
                .computeIfAbsent(index.tabletOf(operation.value()), id -> new ArrayList<>())
                .add(place));
    Map<Integer, Other> conflicts = new HashMap<>();
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    byTablet.forEach(
        (tablet, places) -> {
          for (int from = 0; from < places.size(); from += MAX_OPERATIONS) {
            List<Integer> some =
                places.subList(from, Math.min(places.size(), from + MAX_OPERATIONS));
            calls.add(execute(tablet, some, open, conflicts));
          }
        });
    return all(calls)
        .thenCompose(
            done ->
                conflicts.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.supplyAsync(
                            () -> resolve(open, conflicts, waitMillis), executor)
                        .thenCompose(step -> step));
  }

  private CompletableFuture<Void> execute(
      String tablet,
      List<Integer> places,
      Map<Integer, ClaimOperation> open,
      Map<Integer, Other> conflicts) {
    return client
        .execute(tablet, places.stream().map(open::get).toList(), deadlineNanos)
        .thenAccept(
            others -> {
              synchronized (conflicts) {
                others.forEach((at, other) -> conflicts.put(places.get(at), other));
              }
            })
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    ClaimClient.isGone(failure)
                        ? KuduException.serviceUnavailable(
                            "Unique index %s is being dropped; try again",
                            index.index().definition().name())
                        : failure));
  }

  /** Whether a value was refused only because another write took too long. */
  boolean isUndecided() {
    return undecided;
  }

  private static ClaimOperation operation(Map<Integer, ClaimOperation> open, int place) {
    return Objects.requireNonNull(open.get(place), "it has a conflict");
  }

  private static Other other(Map<Integer, Other> conflicts, int place) {
    return Objects.requireNonNull(conflicts.get(place), "it was answered");
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> calls) {
    return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
  }

  /** Finds out about the other rows, and claims again what may be free. */
  private CompletableFuture<Void> resolve(
      Map<Integer, ClaimOperation> open, Map<Integer, Other> conflicts, long waitMillis) {
    Map<Integer, Verdict> verdicts = new HashMap<>();
    Map<String, List<Integer>> byTablet = new HashMap<>();
    conflicts.forEach(
        (place, other) -> {
          if (other.tabletId().equals(stamp.tabletId()) && locked.contains(other.owner())) {
            verdicts.put(place, ofLocked(other, operation(open, place).value()));
          } else {
            byTablet.computeIfAbsent(other.tabletId(), id -> new ArrayList<>()).add(place);
          }
        });
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    byTablet.forEach(
        (tablet, places) ->
            calls.add(
                client
                    .check(
                        tablet,
                        index.index().definition().id(),
                        places.stream()
                            .map(at -> Map.entry(other(conflicts, at), operation(open, at).value()))
                            .toList(),
                        deadlineNanos)
                    .thenAccept(
                        found -> {
                          synchronized (verdicts) {
                            for (int i = 0; i < places.size(); i++) {
                              verdicts.put(places.get(i), found.get(i));
                            }
                          }
                        })));
    return all(calls).thenCompose(done -> goOn(open, conflicts, verdicts, waitMillis));
  }

  /** The row of another claim that the caller has locked itself. */
  private Verdict ofLocked(Other other, ByteString value) {
    return hasValue.apply(other.owner(), value)
        ? new Verdict.Held()
        : new Verdict.Ineffective(new ClaimOperation.VoidClaim(other.owner(), stamp, false));
  }

  private boolean isPatient() {
    long now = System.nanoTime();
    if (waitsSinceNanos == 0) {
      waitsSinceNanos = now;
    }
    return now - waitsSinceNanos < PATIENCE_NANOS;
  }

  private CompletableFuture<Void> goOn(
      Map<Integer, ClaimOperation> open,
      Map<Integer, Other> conflicts,
      Map<Integer, Verdict> verdicts,
      long waitMillis) {
    Map<Integer, ClaimOperation> again = new LinkedHashMap<>();
    boolean waits = ++rounds > ROUNDS_AT_ONCE;
    for (Map.Entry<Integer, Other> conflict : conflicts.entrySet()) {
      int place = conflict.getKey();
      Verdict verdict = verdicts.get(place);
      ClaimOperation operation = operation(open, place);
      if (verdict instanceof Verdict.Ineffective voided) {
        again.put(place, operation.voiding(voided.claim()));
      } else if (verdict instanceof Verdict.Pending && isPatient()) {
        again.put(place, operation);
        waits = true;
      } else {
        undecided |= verdict instanceof Verdict.Pending;
        refused.put(place, conflict.getValue());
      }
    }
    if (!waits || again.isEmpty()) {
      return claim(again, waitMillis);
    }
    if (System.nanoTime() - deadlineNanos >= 0) {
      return CompletableFuture.failedFuture(
          KuduException.timedOut(
              "Another write may give a value of unique index %s to its row",
              index.index().definition().name()));
    }
    CompletableFuture<Void> waited = new CompletableFuture<>();
    timer.schedule(() -> waited.complete(null), waitMillis, TimeUnit.MILLISECONDS);
    return waited.thenCompose(done -> claim(again, Math.min(MAX_WAIT_MILLIS, waitMillis * 2)));
  }
}
