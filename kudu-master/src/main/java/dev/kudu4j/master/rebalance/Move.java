package dev.kudu4j.master.rebalance;

/** One replica of a tablet goes from one server to another. */
public record Move(String tablet, String table, String from, String to, Reason reason) {
  /** What a move is good for; the earlier, the more urgent. */
  public enum Reason {
    /** Its server shall lose all replicas. */
    LEAVING,
    /** Its location holds too many of the tablet's replicas. */
    LOCATION,
    /** Its server holds too many of the table's replicas. */
    TABLE,
    /** Its server holds too many replicas. */
    CLUSTER
  }
}
