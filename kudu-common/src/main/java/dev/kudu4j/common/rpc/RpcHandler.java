package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;

/** What a method does. */
@FunctionalInterface
public interface RpcHandler<Q extends Message> {
  /**
   * Serves one call on a thread of the service's pool. Answers through {@code call}, before it
   * returns or later from any thread. What it throws becomes the answer: a {@link
   * dev.kudu4j.common.status.KuduException} with its status, an {@link RpcException} with its own
   * code too, anything else as an internal error that is logged.
   */
  void handle(Q request, RpcCall call) throws Exception;
}
