package dev.kudu4j.common.rpc;

/**
 * Limits and identity of a client. Start from {@link #defaults}.
 *
 * @param user name told to servers
 * @param maxFrameBytes longest response accepted
 * @param connectTimeoutMillis time for the TCP connection
 * @param negotiationTimeoutMillis time for negotiation, once connected
 */
public record RpcClientOptions(
    String user, int maxFrameBytes, int connectTimeoutMillis, long negotiationTimeoutMillis) {
  public RpcClientOptions {
    if (user.isEmpty() || user.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A user needs a name without NUL characters");
    }
  }

  /** The operating system's user and the limits of Kudu's Java client. */
  public static RpcClientOptions defaults() {
    return new RpcClientOptions(System.getProperty("user.name"), 256 << 20, 10_000, 10_000);
  }

  public RpcClientOptions withUser(String name) {
    return new RpcClientOptions(
        name, maxFrameBytes, connectTimeoutMillis, negotiationTimeoutMillis);
  }
}
