package dev.kudu4j.itest.workload;

/**
 * Which rows are read, where, and how fresh they must be.
 *
 * @param key the only row wanted, or {@link #ALL}
 * @param timestamp of the snapshot, or {@link #NOW}
 */
public record Reading(String table, long key, Where where, long timestamp) {
  public static final long ALL = -1;
  public static final long NOW = -1;

  /** Which replica, and what it must know. */
  public enum Where {
    /** The leader, at a snapshot. */
    LEADER,
    /** Any replica, at a snapshot. */
    ANY,
    /** Any replica that has what this client has written and read. */
    ANY_OF_SESSION
  }

  /** Everything that was acknowledged before the call. */
  public static Reading strict(String table, long key) {
    return new Reading(table, key, Where.LEADER, NOW);
  }

  public static Reading session(String table, long key) {
    return new Reading(table, key, Where.ANY_OF_SESSION, NOW);
  }

  public static Reading snapshot(String table, Where where, long timestamp) {
    return new Reading(table, ALL, where, timestamp);
  }

  /** One row as it was, at any replica. */
  public static Reading snapshot(String table, long key, long timestamp) {
    return new Reading(table, key, Where.ANY, timestamp);
  }
}
