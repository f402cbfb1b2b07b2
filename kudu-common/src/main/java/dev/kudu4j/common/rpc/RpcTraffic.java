package dev.kudu4j.common.rpc;

/**
 * Receives the traffic of a client's connections. Called on event loops for every part of a frame;
 * implementations must be cheap and must not throw.
 */
public interface RpcTraffic {
  RpcTraffic NONE = new RpcTraffic() {};

  default void connected() {}

  /** A connection that {@link #connected} reported was closed. */
  default void disconnected() {}

  default void sent(long bytes) {}

  default void received(long bytes) {}
}
