package dev.kudu4j.spark.client;

import dev.kudu4j.client.cluster.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Checks the masters before the driver's client is opened. The client waits for a leader until a
 * request's timeout, which is right while masters restart. But if every master refuses the first
 * connection of a session, the addresses are wrong or the cluster is down, and the user should not
 * have to wait.
 *
 * <p>Only refusals by all masters count. The client reports all other errors.
 */
final class FirstContact {
  private static final int DEFAULT_PORT = 7051;
  private static final int CONNECT_MILLIS = 2_000;

  private FirstContact() {}

  /** Fails if all masters refuse a connection. */
  static void check(String masters) {
    for (HostPort master : HostPort.parseAll(masters, DEFAULT_PORT)) {
      if (!refuses(master)) {
        return;
      }
    }
    throw ClusterErrors.of(
        "No master accepts connections at "
            + masters
            + " (connection refused); check kudu.master, and that the masters are running");
  }

  private static boolean refuses(HostPort master) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(master.host(), master.port()), CONNECT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
