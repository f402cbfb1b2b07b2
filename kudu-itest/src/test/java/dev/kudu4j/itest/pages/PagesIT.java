package dev.kudu4j.itest.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.pages.Site.Answer;
import dev.kudu4j.itest.support.PublishedTool;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The web pages and metrics of a cluster are complete and correct. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PagesIT {
  private static final String OF_FLIGHTS = "?types=tablet&attributes=table_name,flights";

  private static BusyCluster cluster;
  private static List<String> sites;
  private static String master;
  private static List<String> tabletServers;

  private final Site site = new Site();

  @BeforeAll
  static void start() throws Exception {
    cluster = new BusyCluster();
    sites = cluster.sites();
    master = sites.get(0);
    tabletServers = sites.subList(1, sites.size());
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private MetricsSnapshot tablets() throws Exception {
    return MetricsSnapshot.of(site, tabletServers, OF_FLIGHTS);
  }

  private long scanAll() throws Exception {
    KuduScanner scanner = cluster.client().newScannerBuilder(cluster.flights()).build();
    long rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return rows;
  }

  @Test
  void writesAreCountedExactly() throws Exception {
    MetricsSnapshot before = tablets();
    cluster.insert(100_000, 1_234);
    cluster.change(100_000, 100);
    MetricsSnapshot after = tablets();
    assertThat(grown(before, after, "rows_inserted")).isEqualTo(1_234);
    assertThat(grown(before, after, "rows_updated")).isEqualTo(100);
    assertThat(grown(before, after, "rows_upserted")).isEqualTo(100);
    assertThat(grown(before, after, "rows_deleted")).isEqualTo(100);
    assertThat(grown(before, after, "log_bytes_logged")).isGreaterThan(1_234 * 20);
    long rows = scanAll();
    eventually("the other replicas count the same")
        .untilAsserted(
            () -> {
              MetricsSnapshot now = tablets();
              assertThat(now.ofReplicas("flights", "rows_deleted"))
                  .isEqualTo(3 * after.ofTablets("flights", "rows_deleted"));
              assertThat(now.ofReplicas("flights", "live_row_count")).isEqualTo(3 * rows);
            });
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(1));
  }

  private static long grown(MetricsSnapshot before, MetricsSnapshot after, String name) {
    return after.ofTablets("flights", name) - before.ofTablets("flights", name);
  }

  @Test
  void failedInsertsAreCounted() throws Exception {
    cluster.insert(200_000, 1);
    MetricsSnapshot before = tablets();
    KuduSession session = cluster.client().newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    Insert again = cluster.flights().newInsert();
    again.getRow().addLong("id", 200_000);
    again.getRow().addString("carrier", "UA");
    assertThat(session.apply(again).getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
    session.close();
    assertThat(grown(before, tablets(), "insertions_failed_dup_key")).isEqualTo(1);
    assertThat(grown(before, tablets(), "rows_inserted")).isZero();
  }

  @Test
  void scansAreCountedExactly() throws Exception {
    cluster.insert(300_000, 500);
    MetricsSnapshot before = MetricsSnapshot.of(site, tabletServers, "");
    long rows = scanAll();
    MetricsSnapshot after = MetricsSnapshot.of(site, tabletServers, "");
    assertThat(replicas(before, after, "scanner_rows_returned")).isEqualTo(rows);
    assertThat(replicas(before, after, "scanner_cells_returned")).isEqualTo(rows * 5);
    assertThat(replicas(before, after, "scans_started")).isEqualTo(BusyCluster.TABLETS);
    assertThat(replicas(before, after, "scanner_bytes_returned")).isGreaterThan(rows * 8);
    assertThat(replicas(before, after, "scanner_rows_scanned")).isGreaterThanOrEqualTo(rows);
    assertThat(servers(before, after, "scanner_duration", "total_count"))
        .isEqualTo(BusyCluster.TABLETS);
    String scan = "handler_latency_kudu_tserver_TabletServerService_Scan";
    eventually("responses are counted, which happens after they are sent")
        .untilAsserted(
            () -> {
              MetricsSnapshot now = MetricsSnapshot.of(site, tabletServers, "");
              assertThat(servers(before, now, scan, "total_count"))
                  .isGreaterThanOrEqualTo(BusyCluster.TABLETS);
              assertThat(servers(before, now, scan, "total_sum")).isPositive();
            });
  }

  private static long replicas(MetricsSnapshot before, MetricsSnapshot after, String name) {
    return after.ofReplicas("flights", name) - before.ofReplicas("flights", name);
  }

  private static long servers(
      MetricsSnapshot before, MetricsSnapshot after, String name, String field) {
    return after.ofServers(name, field) - before.ofServers(name, field);
  }

  @Test
  void openScansAreShownWithoutTheirValues() throws Exception {
    cluster.insert(400_000, 3_000);
    KuduScanner scanner = cluster.openSecretScan();
    assertThat(MetricsSnapshot.of(site, tabletServers, "").ofServers("active_scanners", "value"))
        .isPositive();
    StringBuilder pages = new StringBuilder();
    for (String server : tabletServers) {
      pages.append(site.get(server + "/scans").text());
    }
    assertThat(pages)
        .contains("SELECT id, carrier, delay FROM flights WHERE passenger &lt; &lt;redacted&gt;")
        .contains("active", BusyCluster.QUERY_ID)
        .doesNotContain(BusyCluster.SECRET);
    assertThat(site.follow(sites))
        .noneSatisfy(page -> assertThat(page.text()).contains(BusyCluster.SECRET));
    scanner.close();
  }

  @Test
  void theMasterKnowsTheSizeOfTables() throws Exception {
    cluster.insert(500_000, 100);
    eventually("the leaders have reported")
        .until(
            () -> {
              MetricsSnapshot told = MetricsSnapshot.of(site, List.of(master), "?types=table");
              return told.ofTable("flights", "live_row_count")
                  == tablets().ofTablets("flights", "live_row_count");
            });
    MetricsSnapshot tables = MetricsSnapshot.of(site, List.of(master), "?types=table");
    assertThat(tables.ofTable("flights", "column_count")).isEqualTo(5);
  }

  @Test
  void prometheusMetricsEqualTheJsonMetrics() throws Exception {
    cluster.insert(600_000, 50);
    cluster.change(600_000, 10);
    eventually("all replicas have the rows, and both pages say so")
        .untilAsserted(
            () -> {
              MetricsSnapshot now = tablets();
              assertThat(upsertsInPrometheusMetrics())
                  .isPositive()
                  .isEqualTo(3 * now.ofTablets("flights", "rows_upserted"))
                  .isEqualTo(now.ofReplicas("flights", "rows_upserted"));
            });
  }

  private double upsertsInPrometheusMetrics() throws Exception {
    double told = 0;
    for (String server : tabletServers) {
      told +=
          site.get(server + "/metrics_prometheus")
              .text()
              .lines()
              .filter(line -> line.startsWith("kudu_tablet_rows_upserted_total{table=\"flights\""))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
              .sum();
    }
    return told;
  }

  @Test
  void everyMetricIsDocumented() throws Exception {
    String document = Files.readString(Path.of("..", "docs", "metrics.md"));
    Set<String> undocumented = new TreeSet<>();
    for (String server : sites) {
      site.get(server + "/metrics_prometheus")
          .text()
          .lines()
          .filter(line -> line.startsWith("# TYPE kudu_"))
          .map(line -> line.split(" ", -1)[2])
          .filter(name -> !document.contains("`" + name + "`"))
          .forEach(undocumented::add);
    }
    assertThat(undocumented).as("missing in docs/metrics.md").isEmpty();
  }

  @Test
  void allMetricsOfTheCatalogAreReported() throws Exception {
    scanAll();
    eventually("all metrics are reported").untilAsserted(this::assertAllMetricsAreReported);
  }

  private void assertAllMetricsAreReported() throws Exception {
    MetricsSnapshot all = MetricsSnapshot.of(site, sites, "");
    for (Metric metric : MetricCatalog.all()) {
      Set<String> names = all.names(metric.entity().word());
      boolean told =
          metric.labels().isEmpty()
              ? names.contains(metric.name())
              : names.stream().anyMatch(name -> name.startsWith(metric.name() + "_"));
      assertThat(told).as("%s of a %s is reported", metric.name(), metric.entity()).isTrue();
    }
  }

  /** A metric with a name of Apache Kudu's has the same type and the same unit. */
  @Test
  void namesTypesAndUnitsEqualApacheKudus() throws Exception {
    PublishedTool tool = PublishedTool.find();
    Map<String, String> theirs = new HashMap<>();
    for (String daemon : List.of("tserver", "master")) {
      String output = tool.run(120, daemon, "run", "--dump_metrics_json").output();
      for (JsonNode metric :
          new ObjectMapper().readTree(output.substring(output.indexOf('{'))).get("metrics")) {
        theirs.put(
            metric.get("entity_type").asText() + " " + metric.get("name").asText(),
            metric.get("type").asText() + " in " + metric.get("unit").asText());
      }
    }
    Set<String> ours = new TreeSet<>();
    for (Metric metric : MetricCatalog.all()) {
      String name =
          metric.nameWith(
              metric.labels().isEmpty()
                  ? List.of()
                  : List.of("kudu.tserver.TabletServerService", "Scan"));
      String key = metric.entity().word() + " " + name;
      assertThat(theirs).containsKey(key);
      if (!theirs.get(key).equals(metric.type().word() + " in " + metric.unit())) {
        ours.add(
            key
                + ": "
                + metric.type().word()
                + " in "
                + metric.unit()
                + ", theirs: "
                + theirs.get(key));
      }
    }
    assertThat(ours).isEmpty();
  }

  @Test
  void allServersReportACompleteStartup() throws Exception {
    for (String server : sites) {
      eventually("the startup page shows that the start is complete")
          .until(() -> site.get(server + "/startup").text().contains("The server has started"));
    }
    MetricsSnapshot all = MetricsSnapshot.of(site, sites, "");
    assertThat(all.ofServers("startup_progress_steps_remaining", "value")).isZero();
    assertThat(all.ofServers("startup_progress_time_elapsed", "value")).isPositive();
  }

  @Test
  void missingObjectsAreReportedToTheOperator() throws Exception {
    String server = tabletServers.get(0);
    for (String page : List.of("/tablet?id=nobody", "/tablet-rowsetlayout-svg?id=nobody")) {
      Answer answer = site.get(server + page);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.text()).contains("There is no tablet nobody on this server");
    }
    assertThat(site.get(server + "/logs?level=loud").status()).isEqualTo(400);
    assertThat(site.get(server + "/logs?contains=nothing-like-this").text())
        .contains("No kept line matches.");
  }

  @Test
  void everyLinkOnEveryPageLeadsSomewhere() throws Exception {
    eventually("the tablet servers know the master's pages")
        .until(() -> site.get(tabletServers.get(0) + "/").text().contains(master));
    List<Answer> pages = site.follow(sites);
    assertThat(pages)
        .allSatisfy(page -> assertThat(page.status()).as(page.address().toString()).isEqualTo(200));
    assertThat(pages)
        .extracting(page -> page.address().getPath())
        .contains(
            "/",
            "/tables",
            "/table",
            "/tablet-servers",
            "/masters",
            "/tablets",
            "/tablet",
            "/tablet-rowsetlayout-svg",
            "/scans",
            "/transactions",
            "/maintenance-manager",
            "/mem-trackers",
            "/page-cache",
            "/rpcz",
            "/stacks",
            "/startup",
            "/logs",
            "/config",
            "/varz",
            "/metrics",
            "/metrics_prometheus",
            "/healthz");
    assertNothingHostileGetsThrough(pages);
  }

  private static void assertNothingHostileGetsThrough(List<Answer> pages) {
    for (Answer page : pages) {
      if (page.type().startsWith("text/html")) {
        assertThat(page.text())
            .as(page.address().toString())
            .doesNotContain("<script", "<img", "<b>", "</td></table><");
      }
    }
    assertThat(pages)
        .anySatisfy(
            page ->
                assertThat(page.text())
                    .contains("&lt;script&gt;alert(")
                    .contains("&lt;img src=x onerror=alert(1)&gt;")
                    .contains("&lt;b&gt;key&lt;/b&gt;"));
  }
}
