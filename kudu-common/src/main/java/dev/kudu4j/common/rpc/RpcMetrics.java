package dev.kudu4j.common.rpc;

/**
 * Receives the events that a server counts. Called on hot paths from many threads; implementations
 * must be cheap and must not throw.
 */
public interface RpcMetrics {
  RpcMetrics NONE = new RpcMetrics() {};

  /**
   * A client connected.
   *
   * @param local whether over a Unix-domain socket
   */
  default void connectionOpened(boolean local) {}

  default void connectionClosed() {}

  /** Connections were closed, or one was rejected, because there were too many. */
  default void connectionsEvicted(int count) {}

  /**
   * A call whose caller is authorized has arrived. The queue of the service may still reject the
   * call.
   */
  default void callReceived(String service, String method, long frameBytes) {}

  /** A worker thread started the call. */
  default void callStarted(String service, String method, long queueNanos) {}

  /**
   * A call was answered, with a response or an error. {@code handlerNanos} counts from the moment
   * when a worker thread started the call.
   */
  default void callAnswered(
      String service, String method, long handlerNanos, long frameBytes, boolean error) {}

  /** A sampled call was answered, and the response was written to the socket. */
  default void callTimed(String service, String method, CallTimeline timeline) {}

  /**
   * A call's deadline passed before a worker thread started it; the call is also reported as
   * failed.
   */
  default void callExpired(String service, String method) {}

  /**
   * A call was rejected because its caller is not authorized; the call is also reported as failed.
   */
  default void callUnauthorized(String service, String method) {}

  /** A call was rejected before a worker thread started it, or failed with an RPC error. */
  default void callFailed(String service, String method, RpcErrorCode code) {}
}
