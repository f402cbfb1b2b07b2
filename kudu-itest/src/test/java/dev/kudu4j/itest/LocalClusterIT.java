package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.itest.support.KuduCommand;
import dev.kudu4j.itest.support.KuduCommand.Result;
import dev.kudu4j.itest.support.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu start}, {@code status} and {@code stop}, as an operator calls them. */
class LocalClusterIT {
  private static final int NOT_RUNNING = 3;

  @TempDir private Path directory;
  private final int masterPort = Ports.free();
  private final int masterWebPort = Ports.free();
  private final int tserverPort = Ports.free(100, 200); // each server's is 100 above the last one's
  private final int tserverWebPort = Ports.free(100, 200);

  @AfterEach
  void stop() throws Exception {
    kudu("stop", "--timeout=10");
  }

  private Result kudu(String... arguments) throws Exception {
    return KuduCommand.run(directory, arguments);
  }

  private String[] startWithPorts() {
    return new String[] {
      "start",
      "--master-port=" + masterPort,
      "--master-web-port=" + masterWebPort,
      "--tserver-port=" + tserverPort,
      "--tserver-web-port=" + tserverWebPort
    };
  }

  private JsonNode status() throws Exception {
    return new ObjectMapper().readTree(kudu("status", "--format=json").output());
  }

  @Test
  void aClusterStartsReportsItsStatusStopsAndKeepsItsData() throws Exception {
    assertThat(kudu("status").exitCode()).isEqualTo(NOT_RUNNING);
    assertThat(status().get("running").asBoolean()).isFalse();
    Result start = kudu(startWithPorts());
    assertThat(start.exitCode()).as(start.output()).isZero();
    assertThat(start.output()).contains("Healthy after", "127.0.0.1:" + masterPort, "kudu stop");

    Result status = kudu("status");
    assertThat(status.exitCode()).as(status.output()).isZero();
    assertThat(status.output()).contains("master", "tserver 2", ":" + (tserverPort + 200));
    JsonNode json = status();
    assertThat(json.get("healthy").asBoolean()).isTrue();
    assertThat(json.get("servers")).hasSize(4);
    Result again = kudu(startWithPorts());
    assertThat(again.exitCode()).isZero();
    assertThat(again.output()).contains("is already running (pid " + json.get("pid").asLong());

    writeRow();
    Result stop = kudu("stop");
    assertThat(stop.exitCode()).as(stop.output()).isZero();
    assertThat(kudu("status").exitCode()).isEqualTo(NOT_RUNNING);
    assertThat(kudu("stop").output())
        .contains("No cluster is running in " + directory.toRealPath());

    Result restart = kudu("start"); // with the ports and the data of the first start
    assertThat(restart.exitCode()).as(restart.output()).isZero();
    assertThat(rows()).isEqualTo(1);
    killAndStartAgain(status().get("pid").asLong());
    assertThat(rows()).isEqualTo(1);
  }

  private void killAndStartAgain(long pid) throws Exception {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.destroyForcibly();
    await("the process is gone").atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive());
    assertThat(kudu("status").exitCode()).isEqualTo(NOT_RUNNING);
    Result start = kudu("start");
    assertThat(start.exitCode()).as(start.output()).isZero();
  }

  @Test
  void aPortInUseIsNamedWithItsOption() throws Exception {
    int taken = tserverPort + 100;
    try (ServerSocket socket = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress())) {
      Result start = kudu(startWithPorts());
      assertThat(start.exitCode()).isEqualTo(1);
      assertThat(start.output()).contains("Port " + socket.getLocalPort(), "--tserver-port=");
      assertThat(start.output().lines()).hasSize(1);
    }
    assertThat(kudu("status").exitCode()).isEqualTo(NOT_RUNNING);
  }

  private KuduClient client() {
    return new KuduClient.KuduClientBuilder("127.0.0.1:" + masterPort).build();
  }

  private void writeRow() throws Exception {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build()));
    try (KuduClient client = client()) {
      CreateTableOptions options = new CreateTableOptions().addHashPartitions(List.of("id"), 2);
      KuduTable table = client.createTable("kept", schema, options);
      assertThat(table.getNumReplicas()).isEqualTo(3);
      KuduSession session = client.newSession();
      Insert insert = table.newInsert();
      insert.getRow().addLong(0, 1);
      session.apply(insert);
      session.close();
    }
  }

  /** Reads the latest rows: the replicas serve no reads before their logs are replayed. */
  private int rows() throws Exception {
    List<Object> rows = new ArrayList<>();
    try (KuduClient client = client()) {
      client.newScannerBuilder(client.openTable("kept")).build().forEach(rows::add);
    }
    return rows.size();
  }
}
