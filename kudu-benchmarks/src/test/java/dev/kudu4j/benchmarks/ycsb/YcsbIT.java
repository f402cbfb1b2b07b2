package dev.kudu4j.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchRun;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** The binding through both clients, on a cluster in this JVM. */
class YcsbIT {
  private static EmbeddedCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** The two variants of the binding. */
  enum Form {
    OURS,
    PUBLISHED;

    DB newDb() {
      return this == OURS
          ? new dev.kudu4j.benchmarks.ycsb.ours.KuduDb()
          : new dev.kudu4j.benchmarks.ycsb.published.KuduDb();
    }
  }

  private static DB open(Form form, String table, String... namesAndValues) throws DBException {
    Properties properties = new Properties();
    properties.setProperty(BindingOptions.MASTERS, cluster.masterAddresses());
    properties.setProperty("table", table + form);
    properties.setProperty("fieldcount", "2");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    DB db = form.newDb();
    db.setProperties(properties);
    db.init();
    return db;
  }

  private static Map<String, ByteIterator> values(String first, String second) {
    return StringByteIterator.getByteIteratorMap(Map.of("field0", first, "field1", second));
  }

  private static Map<String, String> read(DB db, String table, String key, Set<String> fields) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertThat(db.read(table, key, fields, result)).isEqualTo(Status.OK);
    return StringByteIterator.getStringMap(result);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void callsAnswerAsYcsbExpects(Form form) throws Exception {
    String table = "answers" + form;
    DB db = open(form, "answers");
    assertThat(db.insert(table, "user1", values("a", "b"))).isEqualTo(Status.OK);
    assertThat(db.insert(table, "user1", values("c", "d")).getName()).isEqualTo("ALREADY_PRESENT");
    assertThat(read(db, table, "user1", null)).isEqualTo(Map.of("field0", "a", "field1", "b"));
    assertThat(
            db.update(table, "user1", StringByteIterator.getByteIteratorMap(Map.of("field1", "é"))))
        .isEqualTo(Status.OK);
    assertThat(read(db, table, "user1", Set.of("field1"))).isEqualTo(Map.of("field1", "é"));
    assertThat(db.read(table, "user2", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(db.update(table, "user2", values("a", "b"))).isEqualTo(Status.NOT_FOUND);
    assertThat(db.delete(table, "user2")).isEqualTo(Status.NOT_FOUND);
    assertThat(db.delete(table, "user1")).isEqualTo(Status.OK);
    assertThat(db.read(table, "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(db.read("nowhere", "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    db.cleanup();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  @SuppressWarnings("JdkObsolete") // YCSB wants a Vector
  void scansFindTheKeysThatFollow(Form form) throws Exception {
    for (String[] partitions :
        new String[][] {
          {"kudu_range_splits", "user3,user6"},
          {"kudu_hash_partitions", "3"},
          {"kudu_hash_partitions", "2", "kudu_range_splits", "user5"}
        }) {
      String name = "scanned" + String.join("", partitions).replaceAll("\\W", "");
      DB db = open(form, name, partitions);
      List<String> keys = new ArrayList<>();
      for (int i = 10; i < 90; i++) {
        keys.add("user" + i);
        assertThat(db.insert(name + form, "user" + i, values("of user" + i, "x")))
            .isEqualTo(Status.OK);
      }
      Vector<HashMap<String, ByteIterator>> result = new Vector<>();
      assertThat(db.scan(name + form, "user255", 40, Set.of("field0"), result))
          .isEqualTo(Status.OK);
      assertThat(result.stream().map(record -> record.get("field0").toString()))
          .containsExactlyElementsOf(
              keys.subList(16, 56).stream().map(key -> "of " + key).toList());
      result.clear();
      assertThat(db.scan(name + form, "user85", 40, null, result)).isEqualTo(Status.OK);
      assertThat(result).hasSize(5).allMatch(record -> record.size() == 2);
      db.cleanup();
    }
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void gatheredWritesAreSentTogetherAndAnswerForEachOther(Form form) throws Exception {
    String table = "gathered" + form;
    DB db = open(form, "gathered", "kudu_sync_ops", "false", "kudu_buffer_num_ops", "3");
    DB other = open(form, "gathered");
    assertThat(db.insert(table, "user1", values("a", "b"))).isEqualTo(Status.BATCHED_OK);
    assertThat(other.read(table, "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(db.insert(table, "user2", values("a", "b"))).isEqualTo(Status.BATCHED_OK);
    assertThat(db.insert(table, "user3", values("a", "b"))).isEqualTo(Status.OK);
    assertThat(other.read(table, "user1", null, new HashMap<>())).isEqualTo(Status.OK);
    assertThat(db.insert(table, "user4", values("a", "b"))).isEqualTo(Status.BATCHED_OK);
    assertThat(db.read(table, "user4", null, new HashMap<>())).isEqualTo(Status.OK);
    assertThat(db.insert(table, "user4", values("a", "b"))).isEqualTo(Status.BATCHED_OK);
    assertThatThrownBy(db::cleanup).hasMessageContaining("ALREADY_PRESENT");
    other.cleanup();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void insertMayOverwrite(Form form) throws Exception {
    DB db = open(form, "overwritten", "kudu_insert", "upsert");
    String table = "overwritten" + form;
    assertThat(db.insert(table, "user1", values("a", "b"))).isEqualTo(Status.OK);
    assertThat(db.insert(table, "user1", values("c", "d"))).isEqualTo(Status.OK);
    assertThat(read(db, table, "user1", null)).containsEntry("field0", "c");
    db.cleanup();
  }

  /** The command itself fails if a call is rejected, or a record is missing at the end. */
  @Test
  void allWorkloadsRunThroughBothClients() throws Exception {
    Path json = directory.resolve("figures.json");
    Path page = directory.resolve("figures.html");
    String out =
        BenchRun.run(
            "ycsb",
            "--against",
            cluster.masterAddresses(),
            "--records",
            "300",
            "--operations",
            "100",
            "--threads",
            "3",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--json",
            json.toString(),
            "--report",
            page.toString());
    assertThat(out).contains(", our client |", ", published client |", "F, uniform");
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).path("figures");
    for (StandardWorkload workload : StandardWorkload.values()) {
      for (RequestDistribution distribution : RequestDistribution.values()) {
        String phase = YcsbFigure.phase(workload, distribution);
        for (String side : List.of("ours", "our_servers")) {
          YcsbFigure throughput = YcsbFigure.of(phase, YcsbFigure.Statistic.THROUGHPUT);
          assertThat(figures.path(throughput.key()).path(side).path("median").asDouble())
              .as("%s of %s", throughput.title(), side)
              .isPositive();
        }
      }
    }
    assertThat(page).content().contains("new Chart(", "Throughput, zipfian", "scan of E");
    assertThat(cluster.client().getTablesList("usertable_").getTablesList()).isEmpty();
  }

  @Test
  void batchesAndHashedTablesRunToo() {
    BenchRun.run(
        "ycsb",
        "--against",
        cluster.masterAddresses(),
        "--records",
        "200",
        "--operations",
        "100",
        "--rounds",
        "1",
        "--warm-up",
        "0",
        "--workloads",
        "A,E",
        "--distribution",
        "uniform",
        "--batch",
        "7",
        "--hash-partitions",
        "2",
        "-p",
        "fieldcount=3");
  }

  @Test
  void loadAndScanRunOnAGivenCluster() {
    String masters = cluster.masterAddresses();
    assertThat(
            BenchRun.run(
                "load",
                "--against",
                masters,
                "--scale",
                "0.001",
                "--rounds",
                "1",
                "--warm-up",
                "0"))
        .contains("| load | rows/s |")
        .doesNotContain("CPU until"); // of servers that cannot be observed
    assertThat(
            BenchRun.run(
                "scan",
                "--against",
                masters,
                "--scale",
                "0.001",
                "--rounds",
                "1",
                "--warm-up",
                "0",
                "--types",
                "exact",
                "--compression",
                "lz4"))
        .contains("| scan of 6 columns, columnar | rows/s |")
        .doesNotContain("| load |");
  }
}
