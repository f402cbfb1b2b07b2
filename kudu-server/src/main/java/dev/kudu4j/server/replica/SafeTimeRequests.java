package dev.kudu4j.server.replica;

/**
 * Urgent requests of replicas to other servers: a reader waits for a snapshot, or a leader needs to
 * be confirmed before it takes writes. A leader wants its status confirmed; any other replica wants
 * the status of its leader. Until a carrier is set, requests are dropped, and replicas wait for the
 * periodic exchange of the servers.
 */
public final class SafeTimeRequests {
  /** Sends requests to other servers. */
  @FunctionalInterface
  public interface Carrier {
    /** Something is wanted at this replica: see {@link SafeTime#wanted}. Must not block. */
    void wanted(TabletReplica replica);
  }

  private volatile Carrier carrier = replica -> {};

  /** Sets the carrier of requests. */
  public void carriedBy(Carrier carrier) {
    this.carrier = carrier;
  }

  void send(TabletReplica replica) {
    carrier.wanted(replica);
  }
}
