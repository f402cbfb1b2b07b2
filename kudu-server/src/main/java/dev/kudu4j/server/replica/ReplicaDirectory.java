package dev.kudu4j.server.replica;

import dev.kudu4j.server.flags.HostPort;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The replicas of a server, by tablet. Thread-safe. */
public interface ReplicaDirectory {
  /** A server without replicas. */
  ReplicaDirectory EMPTY =
      new ReplicaDirectory() {
        @Override
        public Optional<TabletReplica> find(String tabletId) {
          return Optional.empty();
        }

        @Override
        public Collection<TabletReplica> all() {
          return List.of();
        }
      };

  Optional<TabletReplica> find(String tabletId);

  Collection<TabletReplica> all();

  /**
   * Whether this server has a replica of the tablet that has failed or was evicted, and could serve
   * again only if it were copied again.
   */
  default boolean isLost(String tabletId) {
    return find(tabletId).filter(TabletReplica::isLost).isPresent();
  }

  /**
   * Whether this server is about to be stopped and gives up its leaderships where another server
   * can take over.
   */
  default boolean isQuiescing() {
    return false;
  }

  /** The RPC address of another server; empty if unknown. */
  default Optional<HostPort> rpcAddress(String serverUuid) {
    return Optional.empty();
  }
}
