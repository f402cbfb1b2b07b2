package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.common.HostPortPB;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** The address of a server. */
public record HostPort(String host, int port) {
  public HostPort {
    boolean strange = host.indexOf(':') >= 0 && !NetUtil.isValidIpV6Address(host);
    if (host.isEmpty() || strange || port < 0 || port > 0xffff) {
      throw new IllegalArgumentException(
          "Not an address of a server: host '" + host + "', port " + port);
    }
  }

  /**
   * Parses {@code host}, {@code host:port} or {@code [v6]:port}.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static HostPort parse(String text, int defaultPort) {
    String trimmed = text.trim();
    int colon = trimmed.lastIndexOf(':');
    boolean bareV6 = NetUtil.isValidIpV6Address(trimmed) && !trimmed.startsWith("[");
    if (colon < 0 || bareV6 || trimmed.endsWith("]")) {
      return new HostPort(withoutBrackets(trimmed), defaultPort);
    }
    try {
      int port = Integer.parseInt(trimmed.substring(colon + 1));
      return new HostPort(withoutBrackets(trimmed.substring(0, colon)), port);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Unparseable port number: " + text + "; give host:port", e);
    }
  }

  /** Parses addresses separated by commas. */
  public static List<HostPort> parseAll(String text, int defaultPort) {
    List<HostPort> all = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      all.add(parse(one, defaultPort));
    }
    return all;
  }

  static HostPort fromWire(HostPortPB pb) {
    return new HostPort(pb.getHost(), pb.getPort());
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /**
   * The address to connect to. This method does not resolve a host name and does not block; each
   * new connection resolves the name.
   */
  public InetSocketAddress address() {
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
    if (literal == null) {
      return InetSocketAddress.createUnresolved(host, port);
    }
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host, literal), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // impossible: 4 or 16 bytes
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
