package dev.kudu4j.spark.thrift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements over JDBC, from a client without classes of Kudu. The server has the jar that users
 * give to Spark, and Hive's catalog, as in Spark's distributions. {@code spark.home} is the
 * directory of the distribution.
 */
@EnabledIfSystemProperty(named = "spark.home", matches = ".+")
class ThriftServerIT {
  private static final Path SPARK = Path.of(System.getProperty("spark.home", ""));
  private static final String STARTED = "HiveThriftServer2 started";

  @TempDir static Path directory;

  private static EmbeddedCluster cluster;
  private static Process server;
  private static URLClassLoader jars;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    cluster = EmbeddedCluster.builder().start();
    int port = freePort();
    File log = directory.resolve("server.log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command(port)).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("SPARK_HOME", SPARK.toString());
    builder.environment().put("SPARK_LOCAL_IP", EmbeddedCluster.HOST);
    server = builder.redirectOutput(log).start();
    await("the Thrift server runs")
        .atMost(Duration.ofMinutes(3))
        .until(() -> !server.isAlive() || Files.readString(log.toPath()).contains(STARTED));
    assertThat(server.isAlive()).as("the server runs: %s", log).isTrue();
    connection = connect("jdbc:hive2://%s:%d/default".formatted(EmbeddedCluster.HOST, port));
  }

  private static List<String> command(int port) {
    List<String> command = new ArrayList<>();
    command.add(SPARK.resolve("bin/spark-submit").toString());
    command.addAll(List.of("--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"));
    command.addAll(List.of("--master", "local[2]", "--driver-memory", "1g"));
    command.addAll(List.of("--jars", System.getProperty("shaded.jar")));
    for (String setting :
        List.of(
            "spark.ui.enabled=false",
            "spark.sql.catalog.k=dev.kudu4j.spark.KuduCatalog",
            "spark.sql.catalog.k.kudu.master=" + cluster.masterAddresses())) {
      command.addAll(List.of("--conf", setting));
    }
    for (String setting :
        List.of(
            "hive.server2.thrift.port=" + port,
            "hive.server2.thrift.bind.host=" + EmbeddedCluster.HOST)) {
      command.addAll(List.of("--hiveconf", setting));
    }
    command.add("spark-internal");
    return command;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket =
        new ServerSocket(0, 1, InetAddress.getByName(EmbeddedCluster.HOST))) {
      return socket.getLocalPort();
    }
  }

  /** Connects with the driver of the distribution, in a class loader that has no Kudu4j classes. */
  private static Connection connect(String url) throws Exception {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> files = Files.list(SPARK.resolve("jars"))) {
      for (Path jar : files.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    jars = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Driver driver =
        (Driver)
            jars.loadClass("org.apache.hive.jdbc.HiveDriver")
                .getDeclaredConstructor()
                .newInstance();
    return driver.connect(url, new Properties());
  }

  @AfterAll
  static void stop() throws Exception {
    if (connection != null) {
      connection.close();
      jars.close();
    }
    if (server != null) {
      server.destroy();
      if (!server.waitFor(30, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    }
    cluster.close();
  }

  /** The rows of a statement, with blanks between the cells. */
  private static List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        ResultSet result = statement.getResultSet();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            cells.add(result.getString(i));
          }
          rows.add(String.join(" ", cells));
        }
      }
    }
    return rows;
  }

  @Test
  void statementsOfImpala() throws Exception {
    rows(
        "CREATE TABLE k.db.t (id BIGINT COMMENT 'key', s STRING COMPRESSION LZ4,"
            + " v DECIMAL(9, 2) DEFAULT 1.5, PRIMARY KEY (id))"
            + " PARTITION BY HASH (id) PARTITIONS 2,"
            + " RANGE (id) (PARTITION VALUES < 100, PARTITION 100 <= VALUES < 200)"
            + " STORED AS KUDU");
    rows("UPSERT INTO k.db.t VALUES (1, 'a', 2.5), (150, 'b', 3.5)");
    rows("INSERT IGNORE INTO k.db.t VALUES (1, 'ignored', 0.0), (2, 'c', 9.0)");
    rows("ALTER TABLE k.db.t ADD IF NOT EXISTS RANGE PARTITION 200 <= VALUES < 300");
    rows("UPDATE k.db.t SET v = v + 1 WHERE id = 2");

    assertThat(rows("SELECT * FROM k.db.t ORDER BY id"))
        .containsExactly("1 a 2.50", "2 c 10.00", "150 b 3.50");
    assertThat(rows("SHOW RANGE PARTITIONS k.db.t"))
        .containsExactly("VALUES < 100", "100 <= VALUES < 200", "200 <= VALUES < 300");
    assertThat(rows("SHOW PARTITIONS k.db.t")).hasSize(6);
    rows("ALTER TABLE k.db.t DROP RANGE PARTITION 200 <= VALUES < 300");
    assertThat(rows("CALL k.system.partitions('db.t')")).hasSize(4);
    rows("DELETE FROM k.db.t WHERE id = 1");
    assertThat(rows("SELECT COUNT(*), SUM(v) FROM k.db.t")).containsExactly("2 13.50");
  }

  /**
   * Sessions with Hive's catalog cannot have the analyzer rule that separates the options
   * elsewhere.
   */
  @Test
  void optionsOfTheSameTableAreKeptApart() throws Exception {
    rows("CREATE TABLE k.db.twice (id BIGINT, s STRING, PRIMARY KEY (id))");
    rows("INSERT INTO k.db.twice VALUES (1, 'a'), (2, 'b')");

    rows("UPSERT INTO k.db.twice (id, s) SELECT id, CONCAT(s, 'x') FROM k.db.twice");
    rows("INSERT IGNORE INTO k.db.twice SELECT id, 'ignored' FROM k.db.twice");
    assertThatThrownBy(
            () ->
                rows(
                    "INSERT INTO k.db.twice WITH (`kudu.operation` = 'insert')"
                        + " SELECT id, 'refused' FROM k.db.twice"))
        .hasMessageContaining("key already present");

    assertThat(rows("SELECT * FROM k.db.twice ORDER BY id")).containsExactly("1 ax", "2 bx");
  }

  /** The text of a view is parsed when it is used. */
  @Test
  void viewsKeepTheirOptions() throws Exception {
    rows("CREATE TABLE k.db.viewed (id BIGINT, s STRING, PRIMARY KEY (id))");
    rows("INSERT INTO k.db.viewed VALUES (1, 'before')");
    long micros = System.currentTimeMillis() * 1000;
    rows(
        "CREATE VIEW earlier AS SELECT * FROM k.db.viewed WITH (`kudu.snapshotTimestampMs` = '"
            + (micros / 1000 + 1)
            + "')");
    await("the snapshot is in the past")
        .until(() -> System.currentTimeMillis() * 1000 > micros + 2000);
    rows("UPSERT INTO k.db.viewed VALUES (1, 'after')");

    assertThat(rows("SELECT t.s, v.s FROM k.db.viewed t JOIN earlier v ON t.id = v.id"))
        .containsExactly("after before");
    assertThat(rows("SELECT v.s, t.s FROM earlier v JOIN k.db.viewed t ON t.id = v.id"))
        .containsExactly("before after");
  }
}
