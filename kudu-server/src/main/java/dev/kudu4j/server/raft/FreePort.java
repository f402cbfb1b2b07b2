package dev.kudu4j.server.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Finds a port that a server keeps permanently. It is below the range that the kernel uses for
 * outgoing connections, so that no such connection occupies the port during a restart.
 *
 * <p>The caller opens the port a moment later. Servers that start at the same time must not choose
 * the same port: within a JVM each port is returned once, and each process first tries a range that
 * its process id selects.
 */
public final class FreePort {
  private static final int LOWEST = 17_000;
  private static final int COUNT = 15_000;
  private static final int PORTS_PER_PROCESS = 20;
  private static final int TRIES = 200;
  private static final int TRIES_NEARBY = 40;

  /**
   * Smallest process id that selects a range. Processes in containers have small ids, and several
   * containers may share a network, so small ids do not tell processes apart.
   */
  private static final int FIRST_DISTINCT_PID = 100;

  private static final Set<Integer> RETURNED = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * Returns a port that was free on the interface a moment ago and was not returned before in this
   * JVM.
   */
  public static int find(InetAddress bind, RandomGenerator random) throws IOException {
    return find(bind, random, ProcessHandle.current().pid());
  }

  static int find(InetAddress bind, RandomGenerator random, long pid) throws IOException {
    IOException last = new IOException("All ports tried are already used by servers of this JVM");
    for (int i = 0; i < TRIES; i++) {
      int port = candidate(i, random, pid);
      if (RETURNED.contains(port)) {
        continue;
      }
      try (ServerSocket socket = new ServerSocket(port, 1, bind)) {
        if (RETURNED.add(port)) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static int candidate(int attempt, RandomGenerator random, long pid) {
    if (attempt < TRIES_NEARBY && pid >= FIRST_DISTINCT_PID) {
      int nearby = (int) (pid % (COUNT / PORTS_PER_PROCESS)) * PORTS_PER_PROCESS;
      return LOWEST + nearby + random.nextInt(PORTS_PER_PROCESS);
    }
    return LOWEST + random.nextInt(COUNT);
  }
}
