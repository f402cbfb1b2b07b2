package dev.kudu4j.tablet.requestcache;

import dev.kudu4j.tablet.log.RowFailureList;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cached results of one client by sequence, with memory accounting. Guarded by the lock of
 * {@link RequestCache}.
 */
final class ClientRequests {
  /** An estimate of a client's heap size, including map entries. */
  private static final int CLIENT_BYTES = 300;

  /** An estimate of a result's heap size without its errors, including the map entry. */
  private static final int RESULT_BYTES = 200;

  private final RequestCache owner;
  private final RequestCacheMemory memory;
  private final String clientId;
  private final TreeMap<Long, CachedResult> bySequence = new TreeMap<>();

  /** The results whose errors are large, by sequence; null until there is one. */
  private @Nullable Map<Long, RequestCacheMemory.Held> large;

  private long firstIncomplete;
  private long lastTimestamp;

  ClientRequests(
      RequestCache owner,
      RequestCacheMemory memory,
      String clientId,
      long firstIncomplete,
      long lastTimestamp) {
    this.owner = owner;
    this.memory = memory;
    this.clientId = clientId;
    this.firstIncomplete = firstIncomplete;
    this.lastTimestamp = lastTimestamp;
    memory.add(clientBytes());
  }

  private long clientBytes() {
    return CLIENT_BYTES + 2L * clientId.length();
  }

  /**
   * The lowest sequence that may still be applied. All requests with lower sequences were answered,
   * abandoned or forgotten.
   */
  long firstIncomplete() {
    return firstIncomplete;
  }

  long lastTimestamp() {
    return lastTimestamp;
  }

  Iterable<CachedResult> results() {
    return bySequence.values();
  }

  int size() {
    return bySequence.size();
  }

  @Nullable CachedResult find(long sequence) {
    return bySequence.get(sequence);
  }

  boolean isStale(long sequence) {
    return sequence < firstIncomplete && !bySequence.containsKey(sequence);
  }

  void put(CachedResult answer) {
    if (bySequence.put(answer.sequence(), answer) == null) {
      memory.add(RESULT_BYTES);
    } else {
      releaseErrors(answer.sequence());
    }
    if (!answer.result().errors().isEmpty()) {
      holdErrors(answer);
    }
  }

  private void holdErrors(CachedResult answer) {
    long bytes = RowFailureList.of(answer.result().errors()).bytes();
    if (bytes < RequestCacheMemory.SMALL_BYTES) {
      return;
    }
    if (large == null) {
      large = new HashMap<>();
    }
    RequestCacheMemory.Held held =
        new RequestCacheMemory.Held(owner, clientId, answer.sequence(), bytes);
    large.put(answer.sequence(), held);
    memory.hold(held);
  }

  private void releaseErrors(long sequence) {
    RequestCacheMemory.Held held = large == null ? null : large.remove(sequence);
    if (held != null) {
      memory.release(held);
    }
  }

  /**
   * Replaces the errors that {@code held} accounts for with the message, unless they were released
   * already.
   */
  void dropErrors(RequestCacheMemory.Held held, String message) {
    if (large == null || !large.remove(held.sequence(), held)) {
      return;
    }
    CachedResult answer = bySequence.get(held.sequence());
    assert answer != null : "held errors belong to a result";
    bySequence.put(
        held.sequence(),
        answer.withoutErrors(RowFailureList.ofAll(answer.rowCount(), RequestCache.STALE, message)));
  }

  void recordActivity(long timestamp) {
    lastTimestamp = Math.max(lastTimestamp, timestamp);
  }

  /** Forgets all results with lower sequences; returns their number. */
  int forgetBelow(long sequence) {
    if (sequence <= firstIncomplete) {
      return 0;
    }
    firstIncomplete = sequence;
    NavigableMap<Long, CachedResult> below = bySequence.headMap(sequence, false);
    int forgotten = below.size();
    if (large != null) {
      below.keySet().forEach(this::releaseErrors);
    }
    below.clear();
    memory.add(-(long) forgotten * RESULT_BYTES);
    return forgotten;
  }

  /**
   * Forgets the result with the lowest sequence as long as that result is older than {@code
   * oldestTimestamp} or there are more than {@code maxResults} results. Returns the number of
   * forgotten results.
   */
  int trim(int maxResults, long oldestTimestamp) {
    int forgotten = 0;
    while (!bySequence.isEmpty()) {
      Map.Entry<Long, CachedResult> lowest = bySequence.firstEntry();
      boolean old = lowest.getValue().result().timestamp() < oldestTimestamp;
      if (!old && bySequence.size() <= maxResults) {
        return forgotten;
      }
      forgotten += forgetBelow(lowest.getKey() + 1);
    }
    return forgotten;
  }

  /**
   * Releases the client's share of the memory accounting. The client must not be used afterwards.
   */
  void close() {
    if (large != null) {
      large.values().forEach(memory::release);
      large = null;
    }
    memory.add(-(clientBytes() + (long) bySequence.size() * RESULT_BYTES));
    bySequence.clear();
  }
}
