package dev.kudu4j.client.cluster;

import dev.kudu4j.common.rpc.RpcRequestId;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Assigns ids to the requests that must take effect once, and tracks which are incomplete.
 * Thread-safe.
 */
final class RequestTracker {
  private final String clientId = UUID.randomUUID().toString().replace("-", "");
  private final TreeSet<Long> incomplete = new TreeSet<>();
  private long next;

  synchronized long begin() {
    long sequence = next++;
    incomplete.add(sequence);
    return sequence;
  }

  /**
   * @param attempt number of the attempt, from 1
   */
  synchronized RpcRequestId id(long sequence, int attempt) {
    long first = incomplete.isEmpty() ? sequence : Math.min(sequence, incomplete.first());
    return new RpcRequestId(clientId, sequence, first, attempt);
  }

  /** Called when the outcome of the request is known, or nobody waits for it any more. */
  synchronized void end(long sequence) {
    incomplete.remove(sequence);
  }
}
