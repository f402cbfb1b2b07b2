package dev.kudu4j.server.flags;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A host, given by name or IP address, and a port. */
public record HostPort(String host, int port) {
  /**
   * @param text {@code host}, {@code host:port} or {@code [v6]:port}
   */
  public static HostPort parse(String text, int defaultPort) {
    String trimmed = text.trim();
    int colon = trimmed.lastIndexOf(':');
    boolean bracketed = trimmed.startsWith("[");
    boolean hasPort = bracketed ? trimmed.contains("]:") : colon >= 0;
    String host = hasPort ? trimmed.substring(0, colon) : trimmed;
    if (bracketed && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = hasPort ? Integer.parseInt(trimmed.substring(colon + 1)) : defaultPort;
      if (host.isEmpty() || port < 0 || port > 65535) {
        throw bad(text);
      }
      return new HostPort(host, port);
    } catch (NumberFormatException e) {
      throw bad(text);
    }
  }

  /**
   * Converts an address that another process sent.
   *
   * @param field name of the field that holds the address, for the error message
   * @throws KuduException INVALID_ARGUMENT if the address is not valid
   */
  public static HostPort fromWire(String field, HostPortPB address) {
    HostPortWire.require(field, address);
    String host = address.getHost();
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, address.getPort());
  }

  /**
   * Parses an address that was stored; empty if the address is not valid. An address may be invalid
   * because it was stored by a version that did not validate addresses.
   */
  public static Optional<HostPort> recorded(String text) {
    try {
      return Optional.of(parse(text, 0))
          .filter(address -> HostPortWire.isValid(address.host, address.port));
    } catch (KuduException e) {
      return Optional.empty();
    }
  }

  /** Parses a comma-separated list; an empty text gives an empty list. */
  public static List<HostPort> parseList(String text, int defaultPort) {
    List<HostPort> all = new ArrayList<>();
    for (String part : text.split(",")) {
      if (!part.isBlank()) {
        all.add(parse(part, defaultPort));
      }
    }
    return all;
  }

  private static KuduException bad(String text) {
    return KuduException.invalidArgument("'%s' is not an address; it should be host:port", text);
  }

  /**
   * The address for a connection; the host is resolved when the connection is made, not on the
   * caller's thread.
   */
  public InetSocketAddress unresolved() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  /**
   * Resolves the host, which may block until the name service answers.
   *
   * @throws KuduException INVALID_ARGUMENT if the host is unknown
   */
  public InetSocketAddress resolve() {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw KuduException.invalidArgument("Cannot resolve the host of address %s", this);
    }
    return address;
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
