package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftHost;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Replicas for the tests of other packages. */
public final class TestReplicas {
  private TestReplicas() {}

  /** A replica that leads, over a state that only records. */
  public static TabletReplica recording(String tabletId, ReplicaEnvironment environment)
      throws Exception {
    TabletReplica replica =
        TabletReplica.create(
            tabletId,
            environment,
            new RecordingState(new RecordingState.Disk()),
            List.of(environment.raft().self()));
    replica.whenLeader().get(30, TimeUnit.SECONDS);
    return replica;
  }

  /** One of several replicas, over a state that only records. */
  public static TabletReplica recording(
      String tabletId, ReplicaEnvironment environment, List<RaftHost.Peer> members)
      throws Exception {
    return TabletReplica.create(
        tabletId, environment, new RecordingState(new RecordingState.Disk()), members);
  }
}
