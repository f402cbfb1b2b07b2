package dev.kudu4j.server.replica.write;

import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests under way, by who asked: a retry that arrives while its first try is running waits
 * for the same answer. Answered ones are remembered by the tablet, which keeps them through flushes
 * and restarts.
 */
final class ResultTracker {
  private record Key(String clientId, long sequence) {
    static Key of(RequestId id) {
      return new Key(id.clientId(), id.sequence());
    }
  }

  private final ConcurrentHashMap<Key, CompletableFuture<RequestResult>> running =
      new ConcurrentHashMap<>();

  /** Registers a request; returns the answer of the try that is running already, or null. */
  CompletableFuture<RequestResult> begin(RequestId id, CompletableFuture<RequestResult> answer) {
    return running.putIfAbsent(Key.of(id), answer);
  }

  /** The request is no longer running; its answer is remembered by now, if it has one. */
  void end(RequestId id) {
    running.remove(Key.of(id));
  }

  int size() {
    return running.size();
  }
}
