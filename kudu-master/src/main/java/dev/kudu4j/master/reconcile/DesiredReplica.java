package dev.kudu4j.master.reconcile;

/** What one server should have of a tablet, as far as it does not have it. */
public enum DesiredReplica {
  /** A replica, which has to be created. */
  CREATED,
  /** No data, at most a tombstone. */
  TOMBSTONED,
  /** Nothing, not even a tombstone. */
  DELETED,
  /** What it has now. */
  UNCHANGED
}
