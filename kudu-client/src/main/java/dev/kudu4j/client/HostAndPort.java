package dev.kudu4j.client;

import dev.kudu4j.client.cluster.HostPort;
import java.net.InetSocketAddress;
import java.util.Objects;

/** The address of a server. */
public final class HostAndPort {
  private final HostPort hostPort;

  public HostAndPort(String host, int port) {
    this(new HostPort(host, port));
  }

  HostAndPort(HostPort hostPort) {
    this.hostPort = Objects.requireNonNull(hostPort);
  }

  public String getHost() {
    return hostPort.host();
  }

  public int getPort() {
    return hostPort.port();
  }

  /** The socket address, which is unresolved when the host is a name. */
  public InetSocketAddress getAddress() {
    return hostPort.address();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostAndPort that && hostPort.equals(that.hostPort);
  }

  @Override
  public int hashCode() {
    return hostPort.hashCode();
  }

  @Override
  public String toString() {
    return hostPort.toString();
  }
}
