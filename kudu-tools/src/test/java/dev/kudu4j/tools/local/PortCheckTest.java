package dev.kudu4j.tools.local;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.embedded.ClusterPorts;
import dev.kudu4j.server.raft.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortCheckTest {
  private final InetAddress loopback = InetAddress.getLoopbackAddress();

  @Test
  void anOccupiedPortIsReportedWithItsOption() throws IOException {
    try (ServerSocket taken = new ServerSocket(freePort(), 1, loopback)) {
      int port = taken.getLocalPort();
      assertRefused(new ClusterPorts(port, 0, 0, 0), port, "the RPC of master 0", "--master-port=");
      assertRefused(new ClusterPorts(0, port, 0, 0), port, "web pages", "--master-web-port=");
      ClusterPorts second = new ClusterPorts(0, 0, port - ClusterPorts.STEP, 0);
      assertRefused(second, port, "tablet server 1", "--tserver-port=");
      ClusterPorts third = new ClusterPorts(0, 0, 0, port - 2 * ClusterPorts.STEP);
      assertRefused(third, port, "tablet server 2", "--tserver-web-port=");
    }
  }

  @Test
  void freePortsPass() throws IOException {
    ClusterShape shape = new ClusterShape(1, 1, new ClusterPorts(freePort(), 0, 0, 0), 0);
    assertThatCode(() -> PortCheck.check(shape)).doesNotThrowAnyException();
  }

  private int freePort() throws IOException {
    return FreePort.find(loopback, new Random());
  }

  private static void assertRefused(ClusterPorts ports, int port, String what, String option) {
    assertThatThrownBy(() -> PortCheck.check(new ClusterShape(1, 3, ports, 0)))
        .hasMessageContaining("Port " + port)
        .hasMessageContaining(what)
        .hasMessageContaining(option);
  }
}
