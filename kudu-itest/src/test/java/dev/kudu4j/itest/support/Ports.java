package dev.kudu4j.itest.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports for servers that a test starts, stops and restarts.
 *
 * <p>A port is handed out once, and each JVM that runs tests (system property {@code test.fork},
 * numbered from 1) has a separate range. So a port stays reserved before its server binds it and
 * while its server is down. All ranges are below the ports that servers choose for themselves
 * ({@link dev.kudu4j.server.raft.FreePort}) and below those that the kernel uses for outgoing
 * connections.
 */
public final class Ports {
  private static final int FORKS = 4;
  private static final int COUNT = 1_600;
  private static final int LOWEST =
      10_000 + (Integer.getInteger("test.fork", 1) - 1) % FORKS * COUNT;
  private static final int TRIES = 10_000;

  private static final Random RANDOM = new Random(); // other JVMs look for ports at the same time
  private static final Set<Integer> GIVEN = new HashSet<>();

  private Ports() {}

  /**
   * A free port on the loopback interface.
   *
   * @param above offsets of further ports that must be free for the caller, at most 400
   */
  public static synchronized int free(int... above) {
    for (int i = 0; i < TRIES; i++) {
      Set<Integer> ports = new HashSet<>();
      int port = LOWEST + RANDOM.nextInt(COUNT);
      ports.add(port);
      for (int distance : above) {
        ports.add(port + distance);
      }
      if (ports.stream().noneMatch(GIVEN::contains) && ports.stream().allMatch(Ports::isFree)) {
        GIVEN.addAll(ports);
        return port;
      }
    }
    throw new AssertionError("There are no free ports from " + LOWEST + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
