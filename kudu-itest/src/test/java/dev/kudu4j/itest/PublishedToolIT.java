package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.PublishedTool;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.PartialRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The published C++ tool against our servers: each command ends with exit code 0 and prints the
 * expected text.
 */
class PublishedToolIT {
  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static PublishedTool tool;

  @BeforeAll
  static void start() throws Exception {
    tool = PublishedTool.find();
    cluster = new LocalCluster(directory).start();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      Schema schema =
          new Schema(
              java.util.List.of(
                  new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                  new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING)
                      .nullable(true)
                      .build()));
      KuduTable table =
          client.createTable(
              "tool_table",
              schema,
              new CreateTableOptions()
                  .addHashPartitions(java.util.List.of("id"), 3)
                  .setNumReplicas(1));
      KuduSession session = client.newSession();
      for (int i = 0; i < 100; i++) {
        var insert = table.newInsert();
        PartialRow row = insert.getRow();
        row.addInt("id", i);
        row.addString("name", "name-" + i);
        session.apply(insert);
      }
      session.close();
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void listsTables() {
    assertThat(tool.succeed("table", "list", cluster.masters())).contains("tool_table");
    assertThat(tool.succeed("table", "list", cluster.masters(), "--list_tablets"))
        .contains("tool_table");
  }

  @Test
  void describesATable() {
    assertThat(tool.succeed("table", "describe", cluster.masters(), "tool_table"))
        .contains("id INT32 NOT NULL", "name STRING NULLABLE", "HASH (id) PARTITIONS 3");
  }

  @Test
  void printsStatistics() {
    await("the master has heard of all 100 rows")
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> tool.succeed("table", "statistics", cluster.masters(), "tool_table"),
            statistics -> statistics.contains("live row count: 100"));
  }

  @Test
  void locatesARow() {
    assertThat(tool.succeed("table", "locate_row", cluster.masters(), "tool_table", "[7]").strip())
        .isNotEmpty();
  }

  @Test
  void scansWithPredicates() {
    assertThat(
            tool.succeed(
                "table",
                "scan",
                cluster.masters(),
                "tool_table",
                "--columns=id,name",
                "--predicates=[\"AND\", [\">=\", \"id\", 90], [\"<\", \"id\", 95]]"))
        .contains("Total count 5", "name-90");
    assertThat(
            tool.succeed(
                "table",
                "scan",
                cluster.masters(),
                "tool_table",
                "--predicates=[\"AND\", [\"=\", \"name\", \"name-3\"]]"))
        .contains("Total count 1");
  }

  @Test
  void addsColumnsRenamesAndDeletesTables() {
    tool.succeed(
        "table",
        "create",
        cluster.masters(),
        "{\"table_name\": \"short_lived\", \"schema\": {\"columns\": [{\"column_name\": \"k\", \"column_type\":"
            + " \"INT64\", \"is_nullable\": false}], \"key_column_names\": [\"k\"]}, \"partition\":"
            + " {\"range_partition\": {\"columns\": [\"k\"]}}, \"num_replicas\": 1}");
    tool.succeed("table", "add_column", cluster.masters(), "short_lived", "extra", "STRING");
    assertThat(tool.succeed("table", "describe", cluster.masters(), "short_lived"))
        .contains("extra STRING NULLABLE");
    tool.succeed("table", "rename_table", cluster.masters(), "short_lived", "renamed");
    assertThat(tool.succeed("table", "list", cluster.masters()))
        .contains("renamed")
        .doesNotContain("short_lived");
    tool.succeed("table", "delete", cluster.masters(), "renamed");
    assertThat(tool.succeed("table", "list", cluster.masters())).doesNotContain("renamed");
  }

  @Test
  void loadsAMillionRowsAndScansThem() {
    String output =
        tool.succeed(
            "perf",
            "loadgen",
            cluster.masters(),
            "--num_rows_per_thread=500000",
            "--num_threads=2",
            "--table_num_replicas=1",
            "--run_scan",
            "--keep_auto_table");
    assertThat(output).contains("expected rows: 1000000").contains("actual rows  : 1000000");
    String table =
        tool.succeed("table", "list", cluster.masters())
            .lines()
            .filter(line -> line.contains("loadgen_auto"))
            .findFirst()
            .orElseThrow();
    assertThat(tool.succeed("perf", "table_scan", cluster.masters(), table.strip()))
        .contains("1000000");
    tool.succeed("table", "delete", cluster.masters(), table.strip());
  }

  @Test
  void listsServers() {
    assertThat(tool.succeed("tserver", "list", cluster.masters()))
        .contains(cluster.tabletServer().address());
    assertThat(tool.succeed("master", "list", cluster.masters()))
        .contains(cluster.master().address())
        .contains("LEADER");
    tool.succeed("master", "status", cluster.master().address());
    tool.succeed("tserver", "status", cluster.tabletServer().address());
  }
}
