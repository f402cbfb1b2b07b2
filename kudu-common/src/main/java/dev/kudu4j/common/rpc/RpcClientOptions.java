package dev.kudu4j.common.rpc;

import dev.kudu4j.common.security.ClusterSecret;
import java.util.Optional;

/**
 * Limits and identity of a client. Start from {@link #defaults}.
 *
 * @param user the user name that is sent to servers
 * @param maxFrameBytes maximum size of a response
 * @param connectTimeoutMillis timeout of the TCP connection
 * @param negotiationTimeoutMillis timeout of the negotiation, once connected
 * @param readTimeoutMillis if a response is outstanding and the server sends nothing for this time,
 *     the connection is closed and all its calls fail; 0 for never. TCP alone would retry a broken
 *     link at ever longer intervals
 * @param secret the cluster secret, for calls between servers; such a client rejects a server that
 *     does not have the secret
 */
public record RpcClientOptions(
    String user,
    int maxFrameBytes,
    int connectTimeoutMillis,
    long negotiationTimeoutMillis,
    long readTimeoutMillis,
    Optional<ClusterSecret> secret) {
  public RpcClientOptions {
    if (user.isEmpty() || user.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A user needs a name without NUL characters");
    }
  }

  /** The operating system's user, with the limits of Kudu's Java client. */
  public static RpcClientOptions defaults() {
    return new RpcClientOptions(
        System.getProperty("user.name"), 256 << 20, 10_000, 10_000, 0, Optional.empty());
  }

  public RpcClientOptions withUser(String name) {
    return new RpcClientOptions(
        name,
        maxFrameBytes,
        connectTimeoutMillis,
        negotiationTimeoutMillis,
        readTimeoutMillis,
        secret);
  }

  public RpcClientOptions withTimeoutsMillis(int connect, long negotiation) {
    return new RpcClientOptions(
        user, maxFrameBytes, connect, negotiation, readTimeoutMillis, secret);
  }

  /**
   * Options for calls that servers answer immediately: all three timeouts become {@code millis}.
   */
  public RpcClientOptions withAllTimeoutsMillis(int millis) {
    return new RpcClientOptions(user, maxFrameBytes, millis, millis, millis, secret);
  }

  /** Sets the cluster secret, for the calls of a server to other servers of its cluster. */
  public RpcClientOptions withSecret(Optional<ClusterSecret> value) {
    return new RpcClientOptions(
        user,
        maxFrameBytes,
        connectTimeoutMillis,
        negotiationTimeoutMillis,
        readTimeoutMillis,
        value);
  }
}
