package dev.kudu4j.client;

import dev.kudu4j.client.cluster.ReplicaChoice;

/** Which replica of a tablet a scan reads. */
public enum ReplicaSelection {
  LEADER_ONLY(ReplicaChoice.LEADER),
  /**
   * A replica on this host if there is one, else a replica in this client's location, else any
   * replica.
   */
  CLOSEST_REPLICA(ReplicaChoice.CLOSEST);

  private final ReplicaChoice choice;

  ReplicaSelection(ReplicaChoice choice) {
    this.choice = choice;
  }

  ReplicaChoice choice() {
    return choice;
  }
}
