package dev.kudu4j.tools.local;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.memory.MemoryBudget;

/**
 * Divides the one budget of a process among its servers: masters have little, the tablet servers
 * the rest in equal parts. {@code bin/kudu} derives the JVM's heap from the same budget.
 */
public final class LocalMemory {
  private static final long LEAST_PER_SERVER = 64L << 20;

  private LocalMemory() {}

  /**
   * @param limitBytes of the process; 0 for the default
   */
  public static long limit(long limitBytes) {
    return limitBytes == 0 ? MemoryBudget.DEFAULT_LIMIT : limitBytes;
  }

  /** What each tablet server may use. */
  public static long perTabletServer(long limitBytes, int masters, int tabletServers) {
    long catalogs = masters * EmbeddedCluster.MASTER_MEMORY_BYTES;
    long share = (limit(limitBytes) - catalogs) / tabletServers;
    return Math.max(share, LEAST_PER_SERVER);
  }
}
