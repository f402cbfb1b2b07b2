package dev.kudu4j.client.cluster;

import dev.kudu4j.common.rpc.RpcRequestId;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Names the requests that must take effect once, and knows which of them are still waited for.
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
   * @param attempt from 1
   */
  synchronized RpcRequestId id(long sequence, int attempt) {
    long first = incomplete.isEmpty() ? sequence : Math.min(sequence, incomplete.first());
    return new RpcRequestId(clientId, sequence, first, attempt);
  }

  /** The outcome is known, or nobody waits for it any more. */
  synchronized void end(long sequence) {
    incomplete.remove(sequence);
  }
}
