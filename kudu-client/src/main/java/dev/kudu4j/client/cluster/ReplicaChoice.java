package dev.kudu4j.client.cluster;

/** Which replica a call goes to. */
public enum ReplicaChoice {
  LEADER,
  /** On this host, then in this client's location, then any; random among equals. */
  CLOSEST
}
