package dev.kudu4j.server.replica;

/**
 * What replicas want of the other servers at once: somebody waits for a snapshot, or a leader has
 * to be heard before it takes writes. A leader wants its word confirmed, any other replica wants to
 * hear its leader's. Until somebody carries requests they are dropped, and all wait for what the
 * servers tell each other by themselves.
 */
public final class SafeTimeRequests {
  /** Knows how to reach the other servers. */
  @FunctionalInterface
  public interface Carrier {
    /**
     * Somebody waits for something at this replica: see {@link SafeTime#wanted}. Must not block.
     */
    void wanted(TabletReplica replica);
  }

  private volatile Carrier carrier = replica -> {};

  /** Who carries requests from now on. */
  public void carriedBy(Carrier carrier) {
    this.carrier = carrier;
  }

  void send(TabletReplica replica) {
    carrier.wanted(replica);
  }
}
