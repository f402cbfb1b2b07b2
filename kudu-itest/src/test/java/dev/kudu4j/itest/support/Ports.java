package dev.kudu4j.itest.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports for servers that a test starts, and starts again. No port is given out twice in this JVM,
 * so that nobody has it who was given one and has not bound it yet. They lie below those that
 * servers choose for themselves ({@link dev.kudu4j.server.replica.FreePort}) and those that the
 * kernel gives to outgoing connections: a server that is down finds its port free when it returns.
 */
public final class Ports {
  private static final int LOWEST = 10_000;
  private static final int COUNT = 6_500;
  private static final int TRIES = 10_000;

  private static final Random RANDOM = new Random(); // other JVMs look for ports at the same time
  private static final Set<Integer> GIVEN = new HashSet<>();

  private Ports() {}

  /**
   * A free one on the loopback interface.
   *
   * @param above at what distances above it there are to be others for the caller, at most 400
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
