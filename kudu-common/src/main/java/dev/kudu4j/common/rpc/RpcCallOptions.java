package dev.kudu4j.common.rpc;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of a call.
 *
 * @param timeoutMillis time until the call fails, including the time to connect; 0 for no timeout
 * @param requiredFeatures feature numbers of the service; a server without one of them rejects the
 *     call
 * @param requestId present if the call must take effect exactly once
 */
public record RpcCallOptions(
    long timeoutMillis, List<Integer> requiredFeatures, Optional<RpcRequestId> requestId) {
  public RpcCallOptions {
    if (timeoutMillis < 0 || timeoutMillis > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "Timeout of a call out of range: " + timeoutMillis + " ms");
    }
    requiredFeatures = List.copyOf(requiredFeatures);
  }

  public static RpcCallOptions timeout(Duration timeout) {
    return timeoutMillis(timeout.toMillis());
  }

  public static RpcCallOptions timeoutMillis(long millis) {
    return new RpcCallOptions(millis, List.of(), Optional.empty());
  }

  public RpcCallOptions withFeatures(Integer... features) {
    return new RpcCallOptions(timeoutMillis, List.of(features), requestId);
  }

  public RpcCallOptions withRequestId(RpcRequestId id) {
    return new RpcCallOptions(timeoutMillis, requiredFeatures, Optional.of(id));
  }
}
