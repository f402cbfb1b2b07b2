package dev.kudu4j.tools.local;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.memory.MemoryBudget;

/**
 * Divides the memory of a process among its servers: each master gets a small fixed amount, and the
 * tablet servers get equal parts of the remaining memory. {@code bin/kudu} derives the JVM's heap
 * from the same limit.
 */
public final class LocalMemory {
  private static final long MIN_PER_SERVER = 64L << 20;

  private LocalMemory() {}

  /**
   * @param limitBytes limit of the process; 0 for the default
   */
  public static long limit(long limitBytes) {
    return limitBytes == 0 ? MemoryBudget.DEFAULT_LIMIT : limitBytes;
  }

  /** The memory of each tablet server. */
  public static long perTabletServer(long limitBytes, int masters, int tabletServers) {
    long catalogs = masters * EmbeddedCluster.MASTER_MEMORY_BYTES;
    long share = (limit(limitBytes) - catalogs) / tabletServers;
    return Math.max(share, MIN_PER_SERVER);
  }
}
