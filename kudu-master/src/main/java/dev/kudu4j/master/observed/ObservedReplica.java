package dev.kudu4j.master.observed;

/**
 * The last thing that a server said of its replica of a tablet, as far as the catalog does not have
 * it.
 *
 * @param sinceNanos when the replica was first seen in this state
 */
public record ObservedReplica(State state, long sinceNanos) {
  public enum State {
    /** It runs, though the catalog still calls it uncreated. */
    RUNNING,
    /** The server is no member and holds no data, at most a tombstone. */
    TOMBSTONED,
    /**
     * The server was asked to delete it and answered that there is none. It creates none either,
     * should a request to create it arrive late: in that run because it remembers, and in a later
     * run because the request names the earlier one. A report that does not name a replica is no
     * such proof.
     */
    DELETED
  }
}
