package dev.kudu4j.server.replica;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Finds a port for a server that keeps it for good. Below the range from which the kernel serves
 * outgoing connections, or a restart might find its port taken by one of those. No port is found
 * twice in a process: servers that start together look for theirs before any of them is bound.
 */
public final class FreePort {
  private static final int LOWEST = 17_000;
  private static final int COUNT = 15_000;
  private static final int TRIES = 200;

  private static final Set<Integer> FOUND = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that was free a moment ago on the interface, and that nobody here was given before. */
  public static int find(InetAddress bind, RandomGenerator random) throws IOException {
    IOException last = new BindException("All ports tried were found before");
    for (int i = 0; i < TRIES; i++) {
      try (ServerSocket socket = new ServerSocket(LOWEST + random.nextInt(COUNT), 1, bind)) {
        if (FOUND.add(socket.getLocalPort())) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }
}
