package dev.kudu4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verbs that query the state of running servers, and verbs that measure a cluster. */
@Timeout(300)
class RunningClusterVerbsTest {
  private static final int LOGICAL_BITS = 12;

  private static EmbeddedCluster cluster;
  private static String masters;
  private static String server;

  @BeforeAll
  static void startCluster() {
    cluster = EmbeddedCluster.builder().tabletServers(2).replicationFactor(1).start();
    masters = cluster.masterAddresses();
    server = cluster.tabletServerAddress(0).toString();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private static String done(Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }

  private static String refused(Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    assertThat(run.err().lines()).last().asString().startsWith("kudu: ");
    return run.err();
  }

  @Test
  void requestedFlagsAreListed() {
    assertThat(done("tserver", "get_flags", server, "--format=csv"))
        .startsWith("flag,value,default value?,tags\n")
        .contains("\nfs_wal_dir,")
        .doesNotContain(",true,");
    assertThat(done("tserver", "get_flags", server, "--flags=scanner-ttl-ms", "--format=space"))
        .isEqualTo("scanner_ttl_ms 60000 true advanced,runtime\n");
    assertThat(done("master", "get_flags", masters, "--all_flags", "--flag_tags=runtime"))
        .contains("default_num_replicas")
        .doesNotContain("fs_wal_dir");
    KuduRun misspelt = KuduRun.of("tserver", "get_flags", server, "--flags=scaner_ttl_ms");
    assertThat(misspelt.err())
        .startsWith("There is no flag --scaner_ttl_ms on tablet server " + server)
        .contains("did you mean 'scanner_ttl_ms'?");
  }

  @Test
  void aFlagChangesOnOneServerOrOnAll() {
    String flag = "completed_scan_history_count";
    assertThat(done("tserver", "set_flag", server, flag, "20"))
        .isEqualTo(
            "--%s is now '20' on tablet server %s; the previous value is '10'\n"
                .formatted(flag, server));
    assertThat(done("tserver", "get_flags", server, "--format=space")).contains(flag + " 20 false");
    assertThat(done("tserver", "set_flag_for_all", masters, flag, "10"))
        .hasLineCount(2)
        .contains("the previous value is '20'", cluster.tabletServerAddress(1).toString());
    assertThat(done("master", "set_flag_for_all", masters, "redact", "all")).hasLineCount(1);
  }

  @Test
  void aRejectedFlagChangeReportsTheReason() {
    assertThat(refused("tserver", "set_flag", server, "scaner_ttl_ms", "1"))
        .contains("did you mean 'scanner_ttl_ms'?");
    assertThat(refused("tserver", "set_flag", server, "scanner_ttl_ms", "-1"))
        .contains("must be at least 1, not '-1'");
    assertThat(refused("master", "set_flag", masters, "fs_wal_dir", "/x"))
        .contains("cannot be changed while the server runs", "--force");
    assertThat(refused("tserver", "set_flag_for_all", masters, "scanner_ttl_ms", "x"))
        .hasLineCount(2);
    KuduRun misspelt = KuduRun.of("tserver", "set_flag", server, "scanner_ttl_ms", "--froce");
    assertThat(misspelt.exitCode()).isEqualTo(2);
    assertThat(misspelt.err()).contains("Unknown option --froce");
  }

  @Test
  void listsOfServersHaveTheRequestedColumns() {
    assertThat(done("tserver", "list", masters, "--columns=rpc_addresses,uuid", "--format=space"))
        .contains(server + " " + cluster.tabletServerUuid(0) + "\n");
    assertThat(done("tserver", "list", masters, "--columns=heartbeat,start_time", "--format=csv"))
        .startsWith("heartbeat-ms,started\n");
    assertThat(done("master", "list", masters, "--columns=role", "--format=space"))
        .isEqualTo("LEADER\n");
    assertThat(refused("tserver", "list", masters, "--columns=uid"))
        .contains("there is no column 'uid'; columns are uuid, rpc-addresses");
  }

  @Test
  void memoryIsATreeOfTrackers() throws IOException {
    assertThat(done("tserver", "dump_memtrackers", server, "--format=csv"))
        .startsWith("id,parent_id,limit,current consumption,peak_consumption\nroot,<none>,-1,")
        .contains("\ndata/scans,data,");
    for (String output : new String[] {"json", "json_compact"}) {
      JsonNode root =
          new ObjectMapper()
              .readTree(
                  done("master", "dump_memtrackers", masters, "--memtracker_output=" + output));
      assertThat(root.get("id").asText()).isEqualTo("root");
      assertThat(root.get("current_consumption").asLong()).isPositive();
      assertThat(root.get("child_trackers").findValuesAsText("parent_id")).contains("root", "data");
    }
  }

  @Test
  void aServerReportsItsTimeAndItsAddresses() {
    for (String[] words : new String[][] {{"tserver", server}, {"master", masters}}) {
      String timestamp = done(words[0], "timestamp", words[1]).strip();
      Instant physical =
          Instant.EPOCH.plus(Long.parseLong(timestamp) >>> LOGICAL_BITS, ChronoUnit.MICROS);
      assertThat(Duration.between(physical, Instant.now()).abs()).isLessThan(Duration.ofMinutes(5));
    }
    assertThat(done("tserver", "status", server, "--format=csv"))
        .contains("uuid," + cluster.tabletServerUuid(0), "rpc addresses," + server);
    assertThat(refused("tserver", "status", "127.0.0.1:1"))
        .contains("No tablet server responds at 127.0.0.1:1 (connection refused)");
  }

  @Test
  void aQuiescingServerReportsTheTabletsThatItLeads() {
    String table = "quiesced";
    done("table", "create", masters, table, "--columns=id int64 key", "--hash=id:4");
    assertThat(done("tserver", "quiesce", "status", server, "--format=space"))
        .startsWith("false ")
        .endsWith(" 0\n");
    List<String> servers = List.of(server, cluster.tabletServerAddress(1).toString());
    try {
      assertThat(done("tserver", "quiesce", "start", server)).contains("is quiescing: ");
      assertThat(done("tserver", "quiesce", "status", server, "--format=json"))
          .startsWith("[{\"Quiescing\":true,\"Tablet Leaders\":");
      // No other replica could take over the leadership of a tablet.
      assertThat(servers)
          .map(
              each ->
                  KuduRun.of("tserver", "quiesce", "start", each, "--error_if_not_fully_quiesced"))
          .anySatisfy(
              run -> {
                assertThat(run.exitCode()).isEqualTo(1);
                assertThat(run.err())
                    .containsPattern("not fully quiesced: [1-9]\\d* tablet leaders and 0 active");
              });
    } finally {
      for (String each : servers) {
        assertThat(done("tserver", "quiesce", "stop", each)).contains("is not quiescing");
      }
    }
    assertThat(done("tserver", "quiesce", "status", server)).contains(" false ");
    done("table", "delete", masters, table);
  }

  @Test
  void generatedRowsAreWrittenCountedAndDropped() {
    String out =
        done(
            "perf",
            "loadgen",
            masters,
            "--num_rows_per_thread=5000",
            "--num_threads=3",
            "--run_scan");
    assertThat(out)
        .containsPattern("Using auto-created table 'default.loadgen_auto_[0-9a-f]{32}'")
        .containsPattern("INSERT report\n {4}rows total: 15000\n {4}time total: [0-9.]+ ms\n")
        .contains("  time per row: ", "expected rows: 15000\n  actual rows  : 15000\n")
        .containsPattern("Dropping auto-created table 'default.loadgen_auto_[0-9a-f]{32}'");
    assertThat(done("table", "list", masters)).doesNotContain("default.loadgen_auto");
  }

  @Test
  void aKeptTableIsWrittenAgainAndScannedTabletByTablet() throws IOException {
    String out =
        done(
            "perf",
            "loadgen",
            masters,
            "--keep_auto_table",
            "--auto_database=",
            "--table_num_hash_partitions=2",
            "--table_num_range_partitions=2",
            "--use_random_non_pk");
    String table = out.substring(out.indexOf('\'') + 1, out.lastIndexOf('\''));
    assertThat(table).startsWith("loadgen_auto_");

    String again = "--table_name=" + table;
    assertThat(refused("perf", "loadgen", masters, again, "--show_first_n_errors=2"))
        .contains("Errors of thread 1:\n  Already present: ", "2000 of 2000 rows were rejected");
    assertThat(refused("perf", "loadgen", masters, again, "--run_scan", "--seq_start=2000"))
        .contains("The table has 4000 rows, but 2000 were written");
    assertThat(
            done(
                "perf",
                "loadgen",
                masters,
                again,
                "--use_upsert",
                "--run_cleanup",
                "--num_rows_per_thread=25",
                "--flush_per_n_rows=10"))
        .contains("UPSERT report\n    rows total: 50\n", "DELETE report\n    rows total: 50\n");

    assertThat(done("perf", "table_scan", masters, table, "--report_scanner_stats"))
        .containsPattern("T [0-9a-f]{32} scanned \\d+ rows in [0-9.]+ seconds\n")
        .contains("NextBatch() calls", "total_duration_nanos")
        .containsPattern("Total count 3950 cost [0-9.]+ seconds\n$");
    assertThat(
            done(
                "perf",
                "table_scan",
                masters,
                table,
                "--num_threads=4",
                "--columns=key",
                "-predicates=[\"<\", \"key\", 60]",
                "--fill_cache=false"))
        .startsWith("Total count 10 cost ");
    assertThat(refused("perf", "table_scan", masters, table, "--tablets=abc"))
        .contains("has no tablet abc; kudu table list --list_tablets");
    JsonNode tablets =
        new ObjectMapper()
            .readTree(done("tablet", "info", masters, anyTablet(table), "--format=json"));
    assertThat(
            done(
                "perf",
                "table_scan",
                masters,
                table,
                "--row_count_only",
                "--report_scanner_stats",
                "--tablets=" + tablets.get(0).get("ID").asText()))
        .containsOnlyOnce("scanned ");
  }

  private static String anyTablet(String table) {
    return done("table", "list", masters, "--tables=" + table, "--list_tablets", "--format=space")
        .split(" ", -1)[1];
  }

  @Test
  void invalidOptionsAreRejectedBeforeATableIsCreated() {
    assertThat(refused("perf", "loadgen", masters, "--num_threads=0")).contains("must be positive");
    assertThat(refused("perf", "loadgen", masters, "--table_name=nosuch"))
        .contains("There is no table 'nosuch'");
    assertThat(refused("perf", "table_scan", masters, "t", "--num_threads=0"))
        .contains("must be positive");
    assertThat(KuduRun.of("perf").err()).contains("A verb is missing: loadgen or table_scan. See");
  }

  @Test
  void helpShowsTheBenchmarksWhichTheScriptStarts() {
    assertThat(done("--help")).containsPattern("bench +Measures").containsPattern("perf +Measures");
    assertThat(refused("bench", "compare", "--json", "x")).contains("use the script bin/kudu");
  }

  @Test
  void examplesUseTheModeOfTheirHelp() {
    assertThat(done("tserver", "set_flag", "--help"))
        .contains("Usage: kudu tserver set_flag", "kudu tserver get_flags SERVER --all_flags");
    assertThat(done("master", "timestamp", "--help")).contains("kudu master timestamp 127.0.0.1");
  }
}
