package dev.kudu4j.tools.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of an index, by the verbs. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IndexVerbsTest {
  private static final int ROWS = 3000;

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = EmbeddedCluster.builder().tabletServers(1).webPages(true).start();
    done(
        "table",
        "create",
        masters(),
        "orders",
        "--columns=id int64 key, customer string, price int32",
        "--hash=id:2");
    StringBuilder csv = new StringBuilder("id,customer,price\n");
    for (int id = 0; id < ROWS; id++) {
      csv.append(id).append(",customer ").append(id % 37).append(',').append(id % 100).append('\n');
    }
    Path file = Files.writeString(directory.resolve("orders.csv"), csv);
    done("table", "import", masters(), "orders", file);
    done("tablet", "compact", masters(), "--tables=orders");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String masters() {
    return cluster.masterAddresses();
  }

  private static String done(Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }

  private static String describe() {
    return done("index", "describe", masters(), "orders", "by_customer");
  }

  private static void awaitReady() {
    await("the index is ready")
        .atMost(Duration.ofMinutes(1))
        .until(() -> describe().contains("READY: "));
  }

  @Test
  @Order(1)
  void tablesWithoutIndexes() {
    assertThat(done("index", "describe", masters(), "orders")).contains("orders has no indexes");
    assertThat(done("index", "verify", masters(), "orders")).contains("orders has no indexes");
    for (String verb : new String[] {"describe", "verify", "rebuild"}) {
      KuduRun unknown = KuduRun.of("index", verb, masters(), "orders", "none");
      assertThat(unknown.exitCode()).as(verb).isEqualTo(1);
      assertThat(unknown.err()).contains("no index none");
    }
  }

  @Test
  @Order(2)
  void anIndexIsCreatedAndDescribed() throws Exception {
    done("index", "create", masters(), "orders", "by_customer", "customer", "--include=price");
    awaitReady();
    assertThat(describe())
        .contains(
            "INDEX by_customer ON orders", "LOCAL (customer) INCLUDE (price)", "Replicas built")
        .containsPattern("READY: (\\d+) of \\1 rowsets, 3000 of 3000 rows");
    assertThat(done("index", "describe", masters(), "orders", "--format=tsv"))
        .startsWith("Index\tKind\tColumns\tIncluded\tState\tTablet")
        .contains("by_customer\tLOCAL\tcustomer\tprice\tREADY\t");
    assertThat(page("/metrics_prometheus", 1)).contains("kudu_index_files_missing 0.0");
    String tablet =
        done("table", "list", masters(), "--list_tablets", "--format=space").split(" ", -1)[1];
    assertThat(page("/tablet?id=" + tablet, 1)).contains("Indexes", "LOCAL (customer) INCLUDE");
  }

  @Test
  @Order(3)
  void aSoundIndexIsVerified() {
    assertThat(done("index", "verify", masters(), "orders"))
        .contains("2 replicas verified, 0 of them with differences; 0 failed")
        .containsPattern("Tablet [0-9a-f]{32} on \\S+: [1-9]\\d* index files with \\d+ entries");
    assertThat(done("index", "verify", masters(), "orders", "by_customer"))
        .contains("2 replicas verified");
  }

  @Test
  @Order(4)
  void aDamagedIndexIsFoundAndRebuilt() throws Exception {
    Path file;
    try (Stream<Path> files = Files.walk(cluster.directory())) {
      file =
          files
              .filter(path -> path.getFileName().toString().endsWith(".index"))
              .findFirst()
              .orElseThrow();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(bytes.length() / 2);
      int before = bytes.read();
      bytes.seek(bytes.length() / 2);
      bytes.write(~before);
    }
    KuduRun verified = KuduRun.of("index", "verify", masters(), "orders");
    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out())
        .contains("2 replicas verified, 1 of them with differences; 0 failed")
        .containsPattern("  index by_customer, rowset \\d+: .*" + file.getFileName());

    assertThat(done("index", "rebuild", masters(), "orders", "by_customer"))
        .contains("build the index by_customer of table orders again");
    awaitReady();
    assertThat(done("index", "verify", masters(), "orders")).contains("0 of them with differences");
  }

  @Test
  @Order(5)
  void anIndexIsDropped() {
    done("index", "drop", masters(), "orders", "by_customer");
    assertThat(done("index", "describe", masters(), "orders")).contains("orders has no indexes");
  }

  @Test
  @Order(8)
  void aGlobalIndexIsReadInsteadOfItsTable() throws Exception {
    done(
        "table", "create", masters(), "parts", "--columns=id int64 key, part int32", "--hash=id:2");
    Path file = Files.writeString(directory.resolve("parts.csv"), "id,part\n1,7\n2,7\n3,8\n");
    done("table", "import", masters(), "parts", file);
    KuduRun wrong = KuduRun.of("index", "create", masters(), "parts", "i", "part", "--buckets=2");
    assertThat(wrong.exitCode()).isNotZero();
    assertThat(wrong.err()).contains("add --kind=global");
    done(
        "index",
        "create",
        masters(),
        "parts",
        "by_part",
        "part",
        "--kind=global",
        "--hash=part",
        "--buckets=2");
    await("the index is ready")
        .atMost(Duration.ofMinutes(1))
        .until(() -> done("index", "describe", masters(), "parts").contains("READY: "));
    assertThat(done("index", "describe", masters(), "parts"))
        .contains("GLOBAL (part) HASH (part) BUCKETS 2", "READY: 2 of 2 replicas, 3 of 3 rows");
    KuduRun scan =
        KuduRun.of(
            "table", "scan", masters(), "parts", "--where=part = 7", "--columns=id", "--explain");
    assertThat(scan.err()).contains("global index by_part read instead of the table: 1 tablets");
    assertThat(scan.out() + scan.err()).contains("2 rows in");
    assertThat(done("table", "scan", masters(), "parts@by_part")).contains("8", "3");
    String tablet =
        done("table", "describe", masters(), "parts@by_part", "--show_column_comment=false");
    assertThat(tablet).contains("Index by_part of table parts");
  }

  @Test
  @Order(9)
  void aUniqueGlobalIndexRefusesValuesOfOtherTablets() throws Exception {
    done(
        "table",
        "create",
        masters(),
        "users",
        "--columns=id int64 key, phone int32",
        "--hash=id:2");
    KuduRun wrong =
        KuduRun.of(
            "index", "create", masters(), "users", "i", "phone", "--unique", "--kind=clustering");
    assertThat(wrong.exitCode()).isNotZero();
    assertThat(wrong.err()).contains("use --kind=global");
    done("index", "create", masters(), "users", "by_phone", "phone", "--unique", "--kind=global");
    await("the index is ready")
        .atMost(Duration.ofMinutes(1))
        .until(() -> done("index", "describe", masters(), "users").contains("READY: "));
    assertThat(done("index", "describe", masters(), "users"))
        .contains("UNIQUE GLOBAL (phone)", "READY: 2 of 2 tablets");
    Path file = Files.writeString(directory.resolve("users.csv"), "id,phone\n1,7\n2,8\n3,7\n");
    KuduRun imported = KuduRun.of("table", "import", masters(), "users", file);
    assertThat(imported.out() + imported.err())
        .contains("unique index by_phone: another row has the value (int32 phone=7)", "2 rows");
    assertThat(done("index", "verify", masters(), "users", "by_phone"))
        .contains("2 rows of the table and 2 of the index compared, 0 differences");
    assertThat(done("table", "scan", masters(), "users@by_phone", "--columns=phone"))
        .contains("7", "8");
  }

  @Test
  @Order(6)
  void globalIndexesAreVerified() {
    done("index", "create", masters(), "orders", "by_customer", "customer");
    KuduRun local = KuduRun.of("index", "verify", masters(), "orders", "--as_of=1s");
    assertThat(local.exitCode()).isEqualTo(1);
    assertThat(local.err()).contains("--as_of is for global indexes");

    done(
        "table",
        "set_extra_config",
        masters(),
        "orders",
        "kudu4j.index.by_price",
        "GLOBAL (price)");
    await("the indexes are ready")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                done("index", "describe", masters(), "orders", "by_price").contains("READY: ")
                    && done("index", "describe", masters(), "orders", "by_customer")
                        .contains("READY: "));
    assertThat(done("index", "verify", masters(), "orders"))
        .contains("2 replicas verified, 0 of them with differences; 0 failed")
        .containsPattern(
            "Index by_price as of 20\\S+Z: 3,000 rows of the table and 3,000 of the index compared,"
                + " 0 differences; ");
    assertThat(done("index", "verify", masters(), "orders", "by_price"))
        .startsWith("Index by_price as of ")
        .doesNotContain("replicas verified");

    KuduRun before = KuduRun.of("index", "verify", masters(), "orders", "by_price", "--as_of=1h");
    assertThat(before.exitCode()).isEqualTo(1);
    assertThat(before.out()).contains("Index by_price not compared: ", "before it was created");
  }

  private static String page(String path, int server) throws Exception {
    URI uri = URI.create("http://" + cluster.webAddresses().get(server) + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
