package dev.kudu4j.server.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Finds a port that a server keeps for good. It is below the range that the kernel uses for
 * outgoing connections, or a restart might find the port taken by one of those.
 *
 * <p>The caller opens the port a moment later. Servers that start at the same time must not get the
 * same one: a JVM gets each port once, and each process looks first in a range that its process id
 * selects.
 */
public final class FreePort {
  private static final int LOWEST = 17_000;
  private static final int COUNT = 15_000;
  private static final int OF_A_PROCESS = 20;
  private static final int TRIES = 200;
  private static final int TRIES_NEARBY = 40;

  /** Processes of containers have small numbers, and several containers may share a network. */
  private static final int FIRST_TELLING_PID = 100;

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that was free a moment ago on the interface, and that this JVM has not been given. */
  public static int find(InetAddress bind, RandomGenerator random) throws IOException {
    return find(bind, random, ProcessHandle.current().pid());
  }

  static int find(InetAddress bind, RandomGenerator random, long pid) throws IOException {
    IOException last = new IOException("All ports tried have been given away already");
    for (int i = 0; i < TRIES; i++) {
      int port = candidate(i, random, pid);
      if (GIVEN.contains(port)) {
        continue;
      }
      try (ServerSocket socket = new ServerSocket(port, 1, bind)) {
        if (GIVEN.add(port)) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static int candidate(int attempt, RandomGenerator random, long pid) {
    if (attempt < TRIES_NEARBY && pid >= FIRST_TELLING_PID) {
      int nearby = (int) (pid % (COUNT / OF_A_PROCESS)) * OF_A_PROCESS;
      return LOWEST + nearby + random.nextInt(OF_A_PROCESS);
    }
    return LOWEST + random.nextInt(COUNT);
  }
}
