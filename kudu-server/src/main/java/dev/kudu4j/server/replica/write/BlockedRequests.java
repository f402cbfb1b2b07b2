package dev.kudu4j.server.replica.write;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests that wait until a transaction has ended, because it holds the key of one of their rows.
 * Guarded by the queue's lock.
 */
final class BlockedRequests {
  private final Map<Long, List<PendingRequest>> byHolder = new HashMap<>();

  void add(long holder, PendingRequest request) {
    byHolder.computeIfAbsent(holder, transaction -> new ArrayList<>()).add(request);
  }

  /** Removes and returns the requests that the transaction blocks. */
  List<PendingRequest> take(long holder) {
    List<PendingRequest> requests = byHolder.remove(holder);
    return requests == null ? List.of() : requests;
  }

  /** Removes and returns all requests. */
  List<PendingRequest> takeAll() {
    List<PendingRequest> all = byHolder.values().stream().flatMap(Collection::stream).toList();
    byHolder.clear();
    return all;
  }

  /** The number of requests that each transaction blocks. */
  Map<Long, Integer> counts() {
    Map<Long, Integer> counts = new TreeMap<>();
    byHolder.forEach((holder, requests) -> counts.put(holder, requests.size()));
    return counts;
  }

  void remove(PendingRequest request) {
    byHolder.values().forEach(requests -> requests.remove(request));
    byHolder.values().removeIf(List::isEmpty);
  }
}
