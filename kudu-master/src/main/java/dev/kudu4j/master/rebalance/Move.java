package dev.kudu4j.master.rebalance;

/** A move of one replica of a tablet from one server to another. */
public record Move(String tablet, String table, String from, String to, Reason reason) {
  /** Why a replica is moved, the most urgent reason first. */
  public enum Reason {
    /** The server {@code from} shall lose all replicas. */
    LEAVING,
    /** The location of {@code from} holds too many of the tablet's replicas. */
    LOCATION,
    /** The server {@code from} holds too many of the table's replicas. */
    TABLE,
    /** The server {@code from} holds too many replicas in total. */
    CLUSTER
  }
}
