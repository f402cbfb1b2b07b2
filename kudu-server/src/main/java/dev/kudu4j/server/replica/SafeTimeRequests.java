package dev.kudu4j.server.replica;

/**
 * What replicas want of the other servers at once: somebody waits for a snapshot. A leader wants
 * its word confirmed, any other replica wants to hear its leader's. Until somebody carries requests
 * they are dropped, and readers wait for what the servers tell each other by themselves.
 */
public final class SafeTimeRequests {
  /** Knows how to reach the other servers. */
  @FunctionalInterface
  public interface Carrier {
    /** Somebody waits for the snapshot at this replica. Must not block. */
    void wanted(TabletReplica replica, long snapshot);
  }

  private volatile Carrier carrier = (replica, snapshot) -> {};

  /** Who carries requests from now on. */
  public void carriedBy(Carrier carrier) {
    this.carrier = carrier;
  }

  void send(TabletReplica replica, long snapshot) {
    carrier.wanted(replica, snapshot);
  }
}
