package dev.kudu4j.client.cluster;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Determines which host names denote this host. Each name is looked up once. Thread-safe. */
final class Locality {
  private final Map<String, Boolean> localByHost = new ConcurrentHashMap<>();

  boolean isLocal(String host) {
    Boolean known = localByHost.get(host);
    return known != null ? known : localByHost.computeIfAbsent(host, Locality::lookUp);
  }

  /**
   * Runs {@code action} if {@code host} denotes this host: immediately for an address, later and on
   * another thread for a name, because its lookup may take long.
   */
  void ifLocal(String host, Runnable action) {
    if (NetUtil.createByteArrayFromIpAddressString(host) != null || localByHost.containsKey(host)) {
      if (isLocal(host)) {
        action.run();
      }
      return;
    }
    Thread lookup =
        new Thread(
            () -> {
              if (isLocal(host)) {
                action.run();
              }
            },
            "kudu-client-locality");
    lookup.setDaemon(true);
    lookup.start();
  }

  private static boolean lookUp(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false; // a host without an address is not this one
    }
  }
}
