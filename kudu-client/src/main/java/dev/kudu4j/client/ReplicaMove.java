package dev.kudu4j.client;

/**
 * A move of one replica from one tablet server to another, as the master last reported it.
 *
 * @param tabletId the id of the replica's tablet
 * @param tableId the id of the tablet's table
 * @param tableName name of the tablet's table
 * @param from host and port of the server that loses the replica; its uuid if the master does not
 *     know its address
 * @param to host and port of the server that gets the replica
 * @param reason why the replica is moved
 * @param state how far the move is
 */
public record ReplicaMove(
    String tabletId,
    String tableId,
    String tableName,
    String from,
    String to,
    Reason reason,
    State state) {
  /** Why a replica is moved. */
  public enum Reason {
    /** The server {@code from} shall lose all replicas. */
    LEAVING,
    /** The location of {@code from} has too many replicas of the tablet. */
    LOCATION,
    /** The server {@code from} has too many replicas of the table. */
    TABLE,
    /** The server {@code from} has too many replicas in total. */
    CLUSTER,
    /** The master has a reason that this client does not know. */
    UNKNOWN
  }

  /** How far a move is. */
  public enum State {
    /** Not begun. */
    PLANNED,
    /** Begun: the replica is copied to the server {@code to}, then removed from {@code from}. */
    IN_PROGRESS,
    /** No longer in progress: the replica has moved, or the move has failed. */
    ENDED
  }

  ReplicaMove ended() {
    return new ReplicaMove(tabletId, tableId, tableName, from, to, reason, State.ENDED);
  }
}
