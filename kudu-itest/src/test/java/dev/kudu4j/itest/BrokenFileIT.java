package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.tools.Kudu;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.SessionConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flipped bit in one data file of a server: one tablet fails with the reason, the others serve.
 */
class BrokenFileIT {
  private static final int TABLETS = 4;
  private static final int ROWS = 2000;

  @TempDir static Path directory;

  /** Output of a command, standard output and error together, and its exit code. */
  private record CommandResult(int exitCode, String text) {}

  @Test
  void aFlippedBitFailsOneTabletAndIsReported() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory).start();
        KuduClient client = client(cluster)) {
      KuduTable table = create(client);
      insert(client, table);
      cluster.flush();
      cluster.tabletServer().stop();
      cluster.expectBrokenFiles();
      Path broken = flipInTheMiddle();
      String tablet = broken.getParent().getFileName().toString();
      cluster.tabletServer().start();
      assertOnlyOneFails(client, table, broken);
      assertCheckOfTheClusterNames(cluster, tablet, broken);
      insertWhereItGoes(client, table);
      cluster.tabletServer().stop();
      assertCheckOfTheFilesNames(tablet, broken);
    }
  }

  private static KuduClient client(LocalCluster cluster) {
    return new KuduClient.KuduClientBuilder(cluster.masters())
        .defaultOperationTimeoutMs(30_000)
        .build();
  }

  private static KuduTable create(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING).nullable(true).build()));
    return client.createTable(
        "broken",
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1));
  }

  private static void insert(KuduClient client, KuduTable table) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int id = 0; id < ROWS; id++) {
      var insert = table.newInsert();
      insert.getRow().addInt("id", id);
      insert.getRow().addString("name", "name of " + id * 7919);
      session.apply(insert);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  /** Flips one bit in the data of some tablet. */
  private static Path flipInTheMiddle() throws IOException {
    Path file;
    try (Stream<Path> files = Files.walk(directory.resolve("t").resolve("data"))) {
      file = files.filter(path -> path.toString().endsWith(".base")).sorted().findFirst().get();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long middle = bytes.length() / 4;
      bytes.seek(middle);
      int before = bytes.read();
      bytes.seek(middle);
      bytes.write(before ^ 4);
    }
    return file;
  }

  private static void assertOnlyOneFails(KuduClient client, KuduTable table, Path broken)
      throws IOException {
    List<String> failures = new ArrayList<>();
    int rows = 0;
    int served = 0;
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      try {
        rows += count(token, client);
        served++;
      } catch (KuduException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    assertThat(failures).singleElement().asString().contains(broken.toString(), "offset");
    assertThat(served).isEqualTo(TABLETS - 1);
    assertThat(rows).isBetween(ROWS / 2, ROWS - 1);
  }

  private static int count(KuduScanToken token, KuduClient client) throws IOException {
    int rows = 0;
    KuduScanner scanner = token.intoScanner(client);
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return rows;
  }

  private static void assertCheckOfTheClusterNames(
      LocalCluster cluster, String tablet, Path broken) {
    CommandResult result = kudu("cluster", "ksck", cluster.masters());
    assertThat(result.exitCode).isEqualTo(1);
    assertThat(result.text).contains(tablet, broken.toString(), "offset", "FAILED");
  }

  /** The other tablets take writes as before. A row of the corrupt one waits until its time-out. */
  private static void insertWhereItGoes(KuduClient client, KuduTable table) throws KuduException {
    KuduSession session = client.newSession();
    session.setTimeoutMillis(1_000);
    AtomicInteger nextId = new AtomicInteger(ROWS);
    await("a row is written")
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              var insert = table.newInsert();
              insert.getRow().addInt("id", nextId.getAndIncrement());
              return !session.apply(insert).hasRowError();
            });
    session.close();
  }

  private static void assertCheckOfTheFilesNames(String tablet, Path broken) {
    CommandResult result = kudu("fs", "check", "--fs_wal_dir=" + directory.resolve("t"));
    assertThat(result.exitCode).isEqualTo(1);
    assertThat(result.text).contains(tablet, broken.toString(), "offset");
    assertThat(result.text.lines().filter(line -> line.matches(".* \\* \\|.*\\| sound")))
        .hasSize(TABLETS - 1);
  }

  private static CommandResult kudu(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text, true);
    int exitCode = Kudu.commandLine().setOut(writer).setErr(writer).execute(arguments);
    return new CommandResult(exitCode, text.toString());
  }
}
