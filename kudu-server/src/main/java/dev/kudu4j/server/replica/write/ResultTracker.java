package dev.kudu4j.server.replica.write;

import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running requests, by client and sequence number: a retry that arrives while the first attempt
 * runs waits for the same answer. The tablet's request cache keeps the results of applied requests
 * across flushes and restarts.
 */
final class ResultTracker {
  private record Key(String clientId, long sequence) {
    static Key of(RequestId id) {
      return new Key(id.clientId(), id.sequence());
    }
  }

  private final ConcurrentHashMap<Key, CompletableFuture<RequestResult>> running =
      new ConcurrentHashMap<>();

  /** Registers a request; returns the response of an attempt that is already running, or null. */
  @Nullable CompletableFuture<RequestResult> begin(
      RequestId id, CompletableFuture<RequestResult> answer) {
    return running.putIfAbsent(Key.of(id), answer);
  }

  /**
   * Removes a request that no longer runs. If the request was applied, its result is already in the
   * tablet's request cache.
   */
  void end(RequestId id) {
    running.remove(Key.of(id));
  }

  int size() {
    return running.size();
  }
}
