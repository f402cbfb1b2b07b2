package dev.kudu4j.server.replica.write;

import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests under way, by client and sequence number: a retry that arrives while its first try
 * runs waits for the same answer. The tablet remembers answered requests, through flushes and
 * restarts.
 */
final class ResultTracker {
  private record Key(String clientId, long sequence) {
    static Key of(RequestId id) {
      return new Key(id.clientId(), id.sequence());
    }
  }

  private final ConcurrentHashMap<Key, CompletableFuture<RequestResult>> running =
      new ConcurrentHashMap<>();

  /** Registers a request; returns the answer of a try that runs already, or null. */
  CompletableFuture<RequestResult> begin(RequestId id, CompletableFuture<RequestResult> answer) {
    return running.putIfAbsent(Key.of(id), answer);
  }

  /** The request no longer runs; if it has an answer, the tablet remembers it by now. */
  void end(RequestId id) {
    running.remove(Key.of(id));
  }

  int size() {
    return running.size();
  }
}
