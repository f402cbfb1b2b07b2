package dev.kudu4j.client.cluster;

import java.util.List;

/**
 * What a client is told about its cluster. Start from {@link #of}.
 *
 * @param masters where masters listen; one that answers is enough
 * @param user name told to servers
 * @param negotiationTimeoutMillis time for a new connection's negotiation
 * @param threads event loops
 * @param quietMillis how long a server with calls of ours may be quiet before it is asked whether
 *     it lives
 * @param pingMillis how long it may take to answer that
 */
public record ConnectionOptions(
    List<HostPort> masters,
    String user,
    long negotiationTimeoutMillis,
    int threads,
    long quietMillis,
    long pingMillis) {
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
        2_000);
  }

  public ConnectionOptions withUser(String name) {
    return new ConnectionOptions(
        masters, name, negotiationTimeoutMillis, threads, quietMillis, pingMillis);
  }

  public ConnectionOptions withNegotiationTimeoutMillis(long millis) {
    return new ConnectionOptions(masters, user, millis, threads, quietMillis, pingMillis);
  }

  public ConnectionOptions withThreads(int count) {
    return new ConnectionOptions(
        masters, user, negotiationTimeoutMillis, count, quietMillis, pingMillis);
  }

  /** How patient the client is with servers that show no sign of life. */
  public ConnectionOptions withPatience(long quiet, long ping) {
    return new ConnectionOptions(masters, user, negotiationTimeoutMillis, threads, quiet, ping);
  }
}
