package dev.kudu4j.master.heartbeat;

import java.util.concurrent.CompletableFuture;

/**
 * Finds the locations of hosts, paths such as {@code /dc1/rack3}. Servers in one location may fail
 * together.
 */
@FunctionalInterface
public interface Locations {
  /** The location of every host in a cluster without locations. */
  String NOWHERE = "";

  /** Finds the location of a host; fails when it cannot be determined now. Never blocks. */
  CompletableFuture<String> locate(String host);

  /** The locations of a cluster without locations: every host is {@link #NOWHERE}. */
  static Locations none() {
    return host -> CompletableFuture.completedFuture(NOWHERE);
  }
}
