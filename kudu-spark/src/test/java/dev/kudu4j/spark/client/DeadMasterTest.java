package dev.kudu4j.spark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.KuduContext;
import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How long a user waits for masters that do not respond. The client's default timeout is 30
 * seconds.
 */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class DeadMasterTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  /** Addresses on which no process listens. */
  private static String deadMasters() throws IOException {
    try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + first.getLocalPort() + ",127.0.0.1:" + second.getLocalPort();
    }
  }

  @Test
  void refusedConnectionsFailImmediately() throws Exception {
    String masters = deadMasters();

    assertThatThrownBy(
            () ->
                KUDU.spark()
                    .read()
                    .format("kudu")
                    .option("kudu.master", masters)
                    .option("kudu.table", "t")
                    .load())
        .hasMessageContaining("No master accepts connections at " + masters)
        .hasMessageContaining("check kudu.master");
  }

  @Test
  void oneMasterThatListensIsEnough() throws Exception {
    String masters = deadMasters().replaceAll(",.*", ",") + KUDU.masterAddresses();

    assertThat(new KuduContext(masters).tableExists("missing.table")).isFalse();
  }

  @Test
  void aSilentMasterFailsAfterTheConfiguredTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      KuduContext kudu =
          new KuduContext(
              "127.0.0.1:" + silent.getLocalPort(), Map.of("kudu.operationTimeoutMs", "1000"));
      assertThatThrownBy(() -> kudu.tableExists("t")).isInstanceOf(Exception.class);
    }
  }
}
