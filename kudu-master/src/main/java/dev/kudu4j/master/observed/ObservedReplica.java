package dev.kudu4j.master.observed;

/**
 * The state of a server's replica of a tablet as last reported, if it is not recorded in the
 * catalog.
 *
 * @param sinceNanos when the replica was first seen in this state
 */
public record ObservedReplica(State state, long sinceNanos) {
  public enum State {
    /** The replica runs, but the catalog still has it as uncreated. */
    RUNNING,
    /** The server is no member and holds no data, at most a tombstone. */
    TOMBSTONED,
    /**
     * The server was asked to delete the replica and has confirmed that it has none. It will not
     * create one either if a request to create it arrives late: the same run of the server
     * remembers the deletion, and a later run rejects the request, which names the earlier run. A
     * tablet report without the replica does not prove this.
     */
    DELETED
  }
}
