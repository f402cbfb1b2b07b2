package dev.kudu4j.common.rpc;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Maximum numbers of connections of a server. At a limit, a new connection replaces an idle one.
 *
 * @param total maximum for all clients together
 * @param perAddress maximum for one remote address
 * @param unnegotiated maximum for connections whose negotiation is not complete
 */
public record ConnectionLimits(int total, int perAddress, int unnegotiated) {
  private static final int LEAST = 32;

  /** Minimum number of file descriptors that are reserved for logs, data files and listeners. */
  private static final long RESERVED_DESCRIPTORS = 256;

  /** Maximum heap bytes that an idle connection needs. */
  private static final long BYTES_A_CONNECTION = 64 << 10;

  public ConnectionLimits {
    if (total <= 0 || perAddress <= 0 || unnegotiated <= 0) {
      throw new IllegalArgumentException("Connection limits must be positive");
    }
  }

  /**
   * @param total maximum for all clients, or 0 to derive it from file descriptors and heap
   * @param perAddress maximum for one remote address, or 0 for three quarters of the total
   * @param heapBytes heap that the server may use
   * @param share the server's share of the file descriptors of the process, at most 1
   */
  public static ConnectionLimits of(int total, int perAddress, long heapBytes, double share) {
    int all = total == 0 ? allowed((long) (share * maxDescriptors()), heapBytes) : total;
    int each = perAddress == 0 ? Math.max(1, all / 4 * 3) : Math.min(perAddress, all);
    return new ConnectionLimits(all, each, Math.max(1, all / 4));
  }

  /**
   * The number of connections for which descriptors and heap suffice. Files get a third of all
   * descriptors, but at least 256; connections get half of the remaining descriptors.
   */
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
