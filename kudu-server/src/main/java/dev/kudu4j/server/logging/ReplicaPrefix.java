package dev.kudu4j.server.logging;

/**
 * The prefix of each log line about a replica: {@code T <tablet id> P <server uuid>}, as in Apache
 * Kudu's logs. Both ids are complete, so one search finds a tablet in the logs of all servers.
 */
public record ReplicaPrefix(String tabletId, String serverUuid) {
  /** The prefix with the term and the replica's role: {@code T a P b [term 4 LEADER]}. */
  public String in(long term, String role) {
    return this + " [term " + term + " " + role + "]";
  }

  @Override
  public String toString() {
    return "T " + tabletId + " P " + serverUuid;
  }
}
