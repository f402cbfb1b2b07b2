package dev.kudu4j.master.reconcile;

/**
 * The change that a server's replica of a tablet needs: the state that it should be in, or
 * UNCHANGED.
 */
public enum DesiredReplica {
  /** The server should have a replica, which has to be created. */
  CREATED,
  /** The server should have no data, at most a tombstone. */
  TOMBSTONED,
  /** The server should have nothing, not even a tombstone. */
  DELETED,
  /** The server should keep what it has. */
  UNCHANGED
}
