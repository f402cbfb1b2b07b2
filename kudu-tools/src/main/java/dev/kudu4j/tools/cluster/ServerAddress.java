package dev.kudu4j.tools.cluster;

import java.net.InetSocketAddress;

/** Parses the text of addresses. */
final class ServerAddress {
  private ServerAddress() {}

  /** Parses {@code host:port} or {@code [host]:port}. */
  static InetSocketAddress of(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon).replaceAll("[\\[\\]]", "");
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(text.substring(colon + 1)));
  }
}
