package dev.kudu4j.common.rpc;

/**
 * Where a server reports what it does. Called on hot paths from many threads; must be cheap and
 * must not throw.
 */
public interface RpcMetrics {
  RpcMetrics NONE = new RpcMetrics() {};

  default void connectionOpened() {}

  default void connectionClosed() {}

  /** Connections are closed, or one is refused, because there are too many. */
  default void connectionsClosedForRoom(int count) {}

  /** A call was admitted to the service's queue. */
  default void callReceived(String service, String method, long frameBytes) {}

  /** A worker took the call up. */
  default void callStarted(String service, String method, long queueNanos) {}

  /** A call was answered, by a reply or by an error. Time counts from when a worker took it up. */
  default void callAnswered(
      String service, String method, long handlerNanos, long frameBytes, boolean error) {}

  /** A call's deadline passed before a worker took it up; it is then told as failed, too. */
  default void callExpired(String service, String method) {}

  /** A caller may not use the method; the call is then reported as failed, too. */
  default void callUnauthorized(String service, String method) {}

  /** A call was refused before a worker took it up, or failed as a call. */
  default void callFailed(String service, String method, RpcErrorCode code) {}
}
