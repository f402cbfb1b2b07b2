package dev.kudu4j.master.heartbeat;

import java.util.concurrent.CompletableFuture;

/**
 * Where hosts are, as a path such as {@code /dc1/rack3}. Servers of one location may fail together.
 */
@FunctionalInterface
public interface Locations {
  /** The one location of a cluster that has none. */
  String NOWHERE = "";

  /** Finds out where a host is; fails when that cannot be found out now. Never blocks. */
  CompletableFuture<String> locate(String host);

  /** Locations do not matter. */
  static Locations none() {
    return host -> CompletableFuture.completedFuture(NOWHERE);
  }
}
