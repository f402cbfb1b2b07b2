package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.embedded.ClusterPorts;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Checks whether the ports of a cluster are free before it starts. */
final class PortCheck {
  private PortCheck() {}

  /**
   * @throws KuduException ALREADY_PRESENT with the port and the option that changes it
   */
  static void check(ClusterShape shape) throws IOException {
    for (ClusterPorts.Use use : shape.ports().uses(shape.masters(), shape.tabletServers())) {
      if (!isFree(use.port())) {
        throw KuduException.alreadyPresent(
            "Port %d, %s, is used by another program; choose another with %s=PORT (now %d)",
            use.port(), what(use), option(use.purpose()), first(use));
      }
    }
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // like the servers: connections in TIME_WAIT do not count
      socket.bind(new InetSocketAddress(InetAddress.getByName(EmbeddedCluster.HOST), port));
      return true;
    } catch (BindException e) {
      return false;
    }
  }

  private static String what(ClusterPorts.Use use) {
    return switch (use.purpose()) {
      case MASTER_RPC -> "the RPC of master " + use.serverIndex();
      case MASTER_WEB -> "the web pages of master " + use.serverIndex();
      case TABLET_SERVER_RPC -> "the RPC of tablet server " + use.serverIndex();
      case TABLET_SERVER_WEB -> "the web pages of tablet server " + use.serverIndex();
    };
  }

  private static String option(ClusterPorts.Purpose purpose) {
    return switch (purpose) {
      case MASTER_RPC -> "--master-port";
      case MASTER_WEB -> "--master-web-port";
      case TABLET_SERVER_RPC -> "--tserver-port";
      case TABLET_SERVER_WEB -> "--tserver-web-port";
    };
  }

  /** The current value of the option, which is the port of the first server. */
  private static int first(ClusterPorts.Use use) {
    return use.port() - use.serverIndex() * ClusterPorts.STEP;
  }
}
