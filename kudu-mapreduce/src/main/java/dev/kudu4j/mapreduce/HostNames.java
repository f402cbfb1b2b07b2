package dev.kudu4j.mapreduce;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts addresses to host names, as Hadoop's nodes use them. A server that listens on an IP
 * address is registered with that address, but Hadoop identifies nodes by host name; without the
 * conversion no task would run near its data.
 */
final class HostNames {
  private final Map<String, String> known = new HashMap<>();

  String nameOf(String host) {
    return known.computeIfAbsent(host, HostNames::resolve);
  }

  private static String resolve(String host) {
    if (!isAddress(host)) {
      return host;
    }
    try {
      return InetAddress.getByName(host).getCanonicalHostName();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }
}
