package dev.kudu4j.itest.workload;

/**
 * Which rows are read, at which replica, and the required freshness.
 *
 * @param key the only row to read, or {@link #ALL}
 * @param timestamp of the snapshot, or {@link #NOW}
 */
public record Reading(String table, long key, Where where, long timestamp) {
  public static final long ALL = -1;
  public static final long NOW = -1;

  /** The replica, and what it must have applied. */
  public enum Where {
    /** The leader, at a snapshot. */
    LEADER,
    /** Any replica, at a snapshot. */
    ANY,
    /** Any replica that has what this client has written and read. */
    ANY_OF_SESSION
  }

  /** Reads everything that was acknowledged before the call. */
  public static Reading strict(String table, long key) {
    return new Reading(table, key, Where.LEADER, NOW);
  }

  public static Reading session(String table, long key) {
    return new Reading(table, key, Where.ANY_OF_SESSION, NOW);
  }

  public static Reading snapshot(String table, Where where, long timestamp) {
    return new Reading(table, ALL, where, timestamp);
  }

  /** Reads one row at a snapshot, at any replica. */
  public static Reading snapshot(String table, long key, long timestamp) {
    return new Reading(table, key, Where.ANY, timestamp);
  }
}
