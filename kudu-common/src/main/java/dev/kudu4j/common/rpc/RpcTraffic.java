package dev.kudu4j.common.rpc;

/**
 * Where a client reports what goes over its connections. Called on event loops for every part of a
 * frame; must be cheap and must not throw.
 */
public interface RpcTraffic {
  RpcTraffic NONE = new RpcTraffic() {};

  default void connected() {}

  /** A connection that was told of has ended. */
  default void disconnected() {}

  default void sent(long bytes) {}

  default void received(long bytes) {}
}
