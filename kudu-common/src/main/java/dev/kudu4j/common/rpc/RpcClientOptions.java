package dev.kudu4j.common.rpc;

import dev.kudu4j.common.security.ClusterSecret;
import java.util.Optional;

/**
 * Limits and identity of a client. Start from {@link #defaults}.
 *
 * @param user name told to servers
 * @param maxFrameBytes longest response accepted
 * @param connectTimeoutMillis time for the TCP connection
 * @param negotiationTimeoutMillis time for negotiation, once connected
 * @param silenceMillis a connection on which nothing came for so long though something was asked is
 *     given up, with all calls on it; 0 for never. TCP itself waits ever longer before it tries a
 *     link again that was cut
 * @param secret of the cluster, for a server's own calls; such a client refuses a server that does
 *     not hold it
 */
public record RpcClientOptions(
    String user,
    int maxFrameBytes,
    int connectTimeoutMillis,
    long negotiationTimeoutMillis,
    long silenceMillis,
    Optional<ClusterSecret> secret) {
  public RpcClientOptions {
    if (user.isEmpty() || user.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A user needs a name without NUL characters");
    }
  }

  /** The operating system's user and the limits of Kudu's Java client. */
  public static RpcClientOptions defaults() {
    return new RpcClientOptions(
        System.getProperty("user.name"), 256 << 20, 10_000, 10_000, 0, Optional.empty());
  }

  public RpcClientOptions withUser(String name) {
    return new RpcClientOptions(
        name, maxFrameBytes, connectTimeoutMillis, negotiationTimeoutMillis, silenceMillis, secret);
  }

  public RpcClientOptions withTimeoutsMillis(int connect, long negotiation) {
    return new RpcClientOptions(user, maxFrameBytes, connect, negotiation, silenceMillis, secret);
  }

  /** For calls that are answered at once or not at all: gives up what is silent for so long. */
  public RpcClientOptions givingUpAfterMillis(int millis) {
    return new RpcClientOptions(user, maxFrameBytes, millis, millis, millis, secret);
  }

  /** For the calls of a server to other servers of its cluster. */
  public RpcClientOptions withSecret(Optional<ClusterSecret> value) {
    return new RpcClientOptions(
        user, maxFrameBytes, connectTimeoutMillis, negotiationTimeoutMillis, silenceMillis, value);
  }
}
