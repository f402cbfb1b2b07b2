package dev.kudu4j.tablet.requestcache;

import dev.kudu4j.tablet.log.RowFailureList;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The answers of one client, by sequence, accounted for. The lock is that of {@link RequestCache}.
 */
final class ClientRequests {
  /** A client and its place in the maps, about. */
  private static final int CLIENT_BYTES = 300;

  /** An answer and its place in the map, about, without its errors. */
  private static final int ANSWER_BYTES = 200;

  private final RequestCache owner;
  private final RequestCacheMemory memory;
  private final String clientId;
  private final TreeMap<Long, CachedResult> bySequence = new TreeMap<>();

  /** Of answers whose errors take much; null as long as there is none. */
  private Map<Long, RequestCacheMemory.Held> large;

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

  /** Requests below are answered, given up or forgotten: none of them is applied any more. */
  long firstIncomplete() {
    return firstIncomplete;
  }

  long lastTimestamp() {
    return lastTimestamp;
  }

  Iterable<CachedResult> answers() {
    return bySequence.values();
  }

  int size() {
    return bySequence.size();
  }

  CachedResult find(long sequence) {
    return bySequence.get(sequence);
  }

  boolean isStale(long sequence) {
    return sequence < firstIncomplete && !bySequence.containsKey(sequence);
  }

  void put(CachedResult answer) {
    if (bySequence.put(answer.sequence(), answer) == null) {
      memory.add(ANSWER_BYTES);
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

  /** Puts others in the place of an answer's errors, unless these are gone already. */
  void giveUpErrors(RequestCacheMemory.Held held, String message) {
    if (large == null || !large.remove(held.sequence(), held)) {
      return;
    }
    CachedResult answer = bySequence.get(held.sequence());
    bySequence.put(
        held.sequence(),
        answer.withoutErrors(RowFailureList.ofAll(answer.rowCount(), RequestCache.STALE, message)));
  }

  void heardAt(long timestamp) {
    lastTimestamp = Math.max(lastTimestamp, timestamp);
  }

  /** Returns how many answers were forgotten. */
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
    memory.add(-(long) forgotten * ANSWER_BYTES);
    return forgotten;
  }

  /** Forgets the lowest sequences while they are too many, or too old; returns how many. */
  int trim(int mostAnswers, long oldestTimestamp) {
    int forgotten = 0;
    while (!bySequence.isEmpty()) {
      Map.Entry<Long, CachedResult> lowest = bySequence.firstEntry();
      boolean old = lowest.getValue().result().timestamp() < oldestTimestamp;
      if (!old && bySequence.size() <= mostAnswers) {
        return forgotten;
      }
      forgotten += forgetBelow(lowest.getKey() + 1);
    }
    return forgotten;
  }

  /** Gives back what the client takes. It is no longer used. */
  void close() {
    if (large != null) {
      large.values().forEach(memory::release);
      large = null;
    }
    memory.add(-(clientBytes() + (long) bySequence.size() * ANSWER_BYTES));
    bySequence.clear();
  }
}
