package dev.kudu4j.common.rpc;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many connections a server accepts. At a limit it closes one that does nothing, rather than
 * refuse the next.
 *
 * @param total of all clients
 * @param perAddress of one remote address
 * @param unnegotiated of those whose client has not finished negotiation
 */
public record ConnectionLimits(int total, int perAddress, int unnegotiated) {
  private static final int LEAST = 32;

  /** Descriptors that no connection may take: logs, data files, the listeners. */
  private static final long RESERVED_DESCRIPTORS = 256;

  /** What a connection costs the heap, at most and while it has nothing to do. */
  private static final long BYTES_A_CONNECTION = 64 << 10;

  public ConnectionLimits {
    if (total <= 0 || perAddress <= 0 || unnegotiated <= 0) {
      throw new IllegalArgumentException("Limits of connections must be positive");
    }
  }

  /**
   * @param total 0 for what descriptors and heap allow
   * @param perAddress 0 for three quarters of all
   * @param heapBytes that the server may count on
   * @param share of the process that belongs to the server, at most 1
   */
  public static ConnectionLimits of(int total, int perAddress, long heapBytes, double share) {
    int all = total == 0 ? allowed((long) (share * maxDescriptors()), heapBytes) : total;
    int each = perAddress == 0 ? Math.max(1, all / 4 * 3) : Math.min(perAddress, all);
    return new ConnectionLimits(all, each, Math.max(1, all / 4));
  }

  /** Half of what is left after files have a third of all descriptors, and at least 256. */
  static int allowed(long descriptors, long heapBytes) {
    long forConnections = (descriptors - Math.max(RESERVED_DESCRIPTORS, descriptors / 3)) / 2;
    long allowed = Math.min(forConnections, heapBytes / BYTES_A_CONNECTION);
    return (int) Math.max(LEAST, Math.min(allowed, Integer.MAX_VALUE));
  }

  private static long maxDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Integer.MAX_VALUE;
  }
}
