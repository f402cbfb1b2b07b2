package dev.kudu4j.master.membership;

/** Why a replica is moved from one server to another, the most urgent reason first. */
public enum MoveReason {
  /** The server shall lose all replicas. */
  LEAVING,
  /** The location of the server holds too many of the tablet's replicas. */
  LOCATION,
  /** The server holds too many of the table's replicas. */
  TABLE,
  /** The server holds too many replicas in total. */
  CLUSTER
}
