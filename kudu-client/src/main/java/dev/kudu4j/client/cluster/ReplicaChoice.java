package dev.kudu4j.client.cluster;

/** Which replica a call goes to. */
public enum ReplicaChoice {
  LEADER,
  /**
   * A replica on this host, else one in this client's location, else any; random among equally
   * close ones.
   */
  CLOSEST
}
