package dev.kudu4j.common.rpc;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a call is made.
 *
 * @param timeoutMillis time until the call fails, connecting included; 0 for never
 * @param requiredFeatures numbers of the service's features without which the call must be refused
 * @param requestId present when the call must take effect once
 */
public record RpcCallOptions(
    long timeoutMillis, List<Integer> requiredFeatures, Optional<RequestId> requestId) {
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

  public RpcCallOptions withRequestId(RequestId id) {
    return new RpcCallOptions(timeoutMillis, requiredFeatures, Optional.of(id));
  }
}
