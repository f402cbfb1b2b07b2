package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;

/** Implements a method. */
@FunctionalInterface
public interface RpcHandler<Q extends Message> {
  /**
   * Serves one call. The cost of the method and the server's thread model decide the thread. The
   * handler responds through {@code call}, before it returns or later from any thread. An exception
   * becomes the response: a {@link dev.kudu4j.common.status.KuduException} with its status, an
   * {@link RpcException} also with its code, any other exception as an internal error, which is
   * logged.
   */
  void handle(Q request, RpcCall call) throws Exception;
}
