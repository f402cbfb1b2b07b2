package dev.kudu4j.server.replica;

/**
 * Urgent requests of replicas to other servers, made when a reader waits for a snapshot or a leader
 * must be confirmed before it takes writes. A leader requests confirmations of its status; any
 * other replica requests the status of its leader. Until a {@link Sender} is set, requests are
 * dropped, and replicas wait for the servers' periodic exchange.
 */
public final class SafeTimeRequests {
  /** Sends requests to other servers. */
  @FunctionalInterface
  public interface Sender {
    /** Sends the request of a replica, see {@link SafeTime#wanted}. Must not block. */
    void send(TabletReplica replica);
  }

  private volatile Sender sender = replica -> {};

  /** Sets the sender of requests. */
  public void setSender(Sender sender) {
    this.sender = sender;
  }

  void send(TabletReplica replica) {
    sender.send(replica);
  }
}
