package dev.kudu4j.tserver.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tserver.claim.ClaimOperation.Outcome;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about claims in one tablet, at its leader. While the changes of some requests are logged,
 * further requests wait, and form the next batch. So each batch sees what the one before has
 * changed. Thread-safe.
 */
final class ClaimQueue {
  private static final int MAX_OPERATIONS = 8192;
  private static final int MAX_WAITING = 1_000;

  private final HostedTablet tablet;
  private final BufferAllocator allocator;
  private final Executor executor;

  @GuardedBy("this")
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean running;

  /** The other row's claim, by the place of the operation in the request. */
  record Conflicts(Map<Integer, Claim> byOperation) {}

  private record Request(List<ClaimOperation> operations, CompletableFuture<Conflicts> answer) {}

  /**
   * @param executor reads rows
   */
  ClaimQueue(HostedTablet tablet, BufferAllocator allocator, Executor executor) {
    this.tablet = tablet;
    this.allocator = allocator;
    this.executor = executor;
  }

  HostedTablet tablet() {
    return tablet;
  }

  /**
   * Completes when all changes are applied. Fails if this server does not lead the tablet; then
   * some may have been made.
   */
  CompletableFuture<Conflicts> submit(List<ClaimOperation> operations) {
    Request request = new Request(operations, new CompletableFuture<>());
    boolean starts;
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING) {
        throw KuduException.serviceUnavailable(
            "Tablet %s has %d requests for claims waiting; try again later",
            tablet.tabletId(), waiting.size());
      }
      waiting.add(request);
      starts = !running;
      running = true;
    }
    if (starts) {
      next();
    }
    return request.answer;
  }

  private void next() {
    executor.execute(
        () -> {
          List<Request> batch = take();
          if (batch.isEmpty()) {
            return;
          }
          decide(batch)
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null) {
                      batch.forEach(request -> request.answer.completeExceptionally(failure));
                    }
                    next();
                  });
        });
  }

  private synchronized List<Request> take() {
    List<Request> batch = new ArrayList<>();
    int operations = 0;
    while (!waiting.isEmpty()
        && (batch.isEmpty() || operations + waiting.peek().operations.size() <= MAX_OPERATIONS)) {
      Request request = waiting.remove();
      operations += request.operations.size();
      batch.add(request);
    }
    running = !batch.isEmpty();
    return batch;
  }

  private CompletableFuture<Void> decide(List<Request> batch) {
    try {
      ClaimRows rows = new ClaimRows(tablet, tablet.replica().leadingTerm(), allocator);
      List<ByteString> values = new ArrayList<>();
      batch.forEach(
          request -> request.operations.forEach(operation -> values.add(operation.value())));
      Map<ByteString, Claim> claims = new HashMap<>(rows.read(values));
      Map<ByteString, Optional<Claim>> changes = new HashMap<>();
      List<Conflicts> conflicts =
          batch.stream().map(request -> apply(request, claims, changes)).toList();
      CompletableFuture<Void> written =
          changes.isEmpty() ? CompletableFuture.completedFuture(null) : rows.write(changes);
      return written.thenRun(() -> answer(batch, conflicts));
    } catch (RuntimeException | Error e) { // the requests would wait for ever
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Conflicts apply(
      Request request, Map<ByteString, Claim> claims, Map<ByteString, Optional<Claim>> changes) {
    Map<Integer, Claim> conflicts = new HashMap<>();
    for (int i = 0; i < request.operations.size(); i++) {
      ClaimOperation operation = request.operations.get(i);
      Outcome outcome = operation.apply(claims.get(operation.value()));
      if (outcome instanceof Outcome.Conflict conflict) {
        conflicts.put(i, conflict.other());
      } else if (outcome instanceof Outcome.Changed changed) {
        put(operation.value(), changed.claim(), claims);
        changes.put(operation.value(), Optional.ofNullable(changed.claim()));
      }
    }
    return new Conflicts(conflicts);
  }

  private static void put(ByteString value, @Nullable Claim claim, Map<ByteString, Claim> claims) {
    if (claim == null) {
      claims.remove(value);
    } else {
      claims.put(value, claim);
    }
  }

  private static void answer(List<Request> batch, List<Conflicts> conflicts) {
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer.complete(conflicts.get(i));
    }
  }
}
