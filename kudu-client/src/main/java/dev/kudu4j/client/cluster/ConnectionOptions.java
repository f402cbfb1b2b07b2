package dev.kudu4j.client.cluster;

import java.util.List;

/**
 * Options of a client's connections to its cluster. Start from {@link #of}.
 *
 * @param masters addresses of all masters; the leader is searched among these only
 * @param user name sent to servers
 * @param negotiationTimeoutMillis timeout for the negotiation of a new connection
 * @param threads number of event loops
 * @param quietMillis how long a server with calls in flight may be silent before the client pings
 *     it
 * @param pingMillis how long the server may take to answer the ping
 * @param localSockets whether tablet servers on this host are called over their Unix-domain sockets
 */
public record ConnectionOptions(
    List<HostPort> masters,
    String user,
    long negotiationTimeoutMillis,
    int threads,
    long quietMillis,
    long pingMillis,
    boolean localSockets) {
  public ConnectionOptions {
    masters = List.copyOf(masters);
    if (masters.isEmpty()) {
      throw new IllegalArgumentException("A cluster has at least one master; give its host:port");
    }
  }

  public static ConnectionOptions of(List<HostPort> masters) {
    return new ConnectionOptions(
        masters,
        System.getProperty("user.name"),
        10_000,
        Math.max(2, Runtime.getRuntime().availableProcessors() / 2),
        1_000,
        2_000,
        true);
  }

  public ConnectionOptions withUser(String name) {
    return new ConnectionOptions(
        masters, name, negotiationTimeoutMillis, threads, quietMillis, pingMillis, localSockets);
  }

  public ConnectionOptions withNegotiationTimeoutMillis(long millis) {
    return new ConnectionOptions(
        masters, user, millis, threads, quietMillis, pingMillis, localSockets);
  }

  public ConnectionOptions withThreads(int count) {
    return new ConnectionOptions(
        masters, user, negotiationTimeoutMillis, count, quietMillis, pingMillis, localSockets);
  }

  /** Sets how long the client waits for servers that show no sign of life. */
  public ConnectionOptions withPatience(long quiet, long ping) {
    return new ConnectionOptions(
        masters, user, negotiationTimeoutMillis, threads, quiet, ping, localSockets);
  }

  public ConnectionOptions withLocalSockets(boolean use) {
    return new ConnectionOptions(
        masters, user, negotiationTimeoutMillis, threads, quietMillis, pingMillis, use);
  }
}
