package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaState;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.TabletReplica.ChangeListener;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Opens tablets in their directories and starts replicas on them. If a start fails, the tablet and
 * the replica are closed.
 */
final class ReplicaStarter {
  private final Function<Path, TabletEnvironment> environments;
  private final CompletableFuture<ReplicaEnvironment> replicas;
  private final AncientHistory history;

  /**
   * @param environments creates the environment of a tablet in a directory
   * @param replicas completes when Raft has started
   * @param history defines how far back tablets can be read
   */
  ReplicaStarter(
      Function<Path, TabletEnvironment> environments,
      CompletableFuture<ReplicaEnvironment> replicas,
      AncientHistory history) {
    this.environments = environments;
    this.replicas = replicas;
    this.history = history;
  }

  /** A last step of a start, after the replica has started. */
  interface LastStep {
    LastStep NONE = () -> {};

    void run() throws IOException;
  }

  /** Returns when Raft has started. */
  void awaitRaft() {
    replicas.join();
  }

  TabletEnvironment environment(Path directory) {
    return environments.apply(directory);
  }

  /** Creates a tablet and its first replica on this server. */
  OpenTablet create(
      Path directory,
      TabletDescriptor descriptor,
      List<RaftHost.Peer> members,
      ChangeListener listener)
      throws IOException {
    Tablet tablet = Tablet.create(environment(directory), descriptor);
    TabletReplica replica =
        TabletReplica.create(
            descriptor.tabletId(), replicas.join(), ReplicaState.of(tablet), members, listener);
    return finish(tablet, replica, LastStep.NONE);
  }

  /** Opens the tablet in the directory without its replica. */
  Tablet openTablet(Path directory) throws IOException {
    return Tablet.open(environment(directory));
  }

  /** Starts the replica whose log is on this server. */
  OpenTablet restart(String tabletId, Tablet tablet, ChangeListener listener, LastStep lastStep)
      throws IOException {
    TabletReplica replica =
        TabletReplica.open(tabletId, replicas.join(), ReplicaState.of(tablet), listener);
    return finish(tablet, replica, lastStep);
  }

  /** Opens a copied tablet and starts a replica that joins the group. */
  OpenTablet join(
      String tabletId,
      Path directory,
      List<RaftHost.Peer> members,
      LastVote vote,
      ChangeListener listener,
      LastStep lastStep)
      throws IOException {
    Tablet tablet = openTablet(directory);
    TabletReplica replica =
        TabletReplica.join(
            tabletId, replicas.join(), ReplicaState.of(tablet), members, vote, listener);
    return finish(tablet, replica, lastStep);
  }

  private OpenTablet finish(Tablet tablet, TabletReplica replica, LastStep lastStep)
      throws IOException {
    try {
      OpenTablet opened = OpenTablet.of(tablet, replica, history);
      lastStep.run();
      return opened;
    } catch (IOException | RuntimeException e) {
      replica.close();
      throw e;
    }
  }
}
