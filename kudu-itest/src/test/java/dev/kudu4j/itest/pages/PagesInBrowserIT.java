package dev.kudu4j.itest.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web pages of a cluster under load in a browser that runs no script: each shows its subject,
 * none of its requests fails, and none is wider than its window. Screenshots are written to {@code
 * target/pages}. Skipped if there is no Chromium.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PagesInBrowserIT {
  private static final Path PICTURES = Path.of("target", "pages");
  private static final Browser.Look DESK = new Browser.Look(1300, 850, false);
  private static final Browser.Look NIGHT = new Browser.Look(1360, 850, true);
  private static final Browser.Look PHONE = new Browser.Look(390, 800, false);
  private static final Set<String> DARK = Set.of("tablets", "layout", "logs", "security");

  /** The id's cell in the list, next to a tablet that gets writes. */
  private static final String BUSY = "VALUES &gt;= 1000000</td><td class=\"id short\">";

  private static final String CUT_OFF_TABLES =
      "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length";
  private static final String SCAN = "SELECT id, carrier, delay FROM flights";

  @TempDir private Path home;
  private final List<String> tooWide = new ArrayList<>();
  private final List<String> cutOff = new ArrayList<>();
  private Browser browser;

  /** A page, and the words that it must contain. */
  private record Sight(String name, String address, String... words) {}

  @Test
  @SuppressWarnings("try") // an interrupt ends the test
  void everyPageIsRenderedWithoutErrors() throws Exception {
    Optional<Path> program = Browser.find();
    Assumptions.assumeTrue(
        program.isPresent(),
        "No Chromium on the path or in ~/.cache/ms-playwright; install one to look at the pages");
    Files.createDirectories(PICTURES);
    try (BusyCluster cluster =
            new BusyCluster("--flush_threshold_secs=2", "--scanner_ttl_ms=600000");
        Browser opened = Browser.start(program.get(), home)) {
      browser = opened;
      cluster.insert(0, 5_000);
      cluster.openSecretScan();
      cluster.beginLoad();
      await("the load has begun").atMost(Duration.ofMinutes(2)).until(() -> cluster.rounds() > 3);
      String server =
          await("the scan's server has a scan, flushes and leaders to show")
              .atMost(Duration.ofMinutes(2))
              .until(() -> scanned(cluster), Optional::isPresent)
              .orElseThrow();
      for (Sight sight : sights(cluster, server)) {
        look(sight);
      }
      assertThat(browser.complaints())
          .allSatisfy(complaint -> assertThat(complaint).contains("404").contains("id=nobody"));
      assertThat(tooWide).as("pages that are wider than their window").isEmpty();
      assertThat(cutOff).as("pages with a table that is cut off on a desk").isEmpty();
      cluster.rounds();
    }
  }

  /** The server that has the open scan, has flushed, and leads some tablets but not all. */
  private static Optional<String> scanned(BusyCluster cluster) throws Exception {
    Site site = new Site();
    for (String server : cluster.sites().subList(1, cluster.sites().size())) {
      if (site.get(server + "/scans").text().contains(SCAN)
          && site.get(server + "/maintenance-manager").text().contains(">done<")
          && site.get(server + "/tablets").text().contains("follower")) {
        return Optional.of(server);
      }
    }
    return Optional.empty();
  }

  private static List<Sight> sights(BusyCluster cluster, String server) throws Exception {
    Site site = new Site();
    String master = cluster.sites().get(0);
    String tables = site.get(master + "/tables").text();
    String tablets = site.get(server + "/tablets?table=flights").text();
    return List.of(
        new Sight("master", master + "/", "tablet servers", "all live", "Leader"),
        new Sight("tables", master + "/tables", "flights", BusyCluster.HOSTILE, "running"),
        new Sight(
            "table",
            master + link(tables, "(/table\\?id=\\w+)\">flights"),
            "HASH (id) PARTITIONS 3, RANGE (id)",
            "VALUES >= 1000000",
            "IATA's code",
            "leader"),
        new Sight(
            "hostile-table",
            master + link(tables, "(/table\\?id=\\w+)\">&lt;script"),
            BusyCluster.HOSTILE,
            "<b>key</b>"),
        new Sight("tablet-servers", master + "/tablet-servers", "127.0.0.1:", "live"),
        new Sight("masters", master + "/masters", "leader", "live", "this one master"),
        new Sight("master-startup", master + "/startup", "Open the catalog", "has started"),
        new Sight("master-memory", master + "/mem-trackers", "root", "heap", "catalog"),
        new Sight(
            "master-flags", master + "/varz", "--default_num_replicas", "Set for this server"),
        new Sight("server", server + "/", "open scans", "all running", "UUID"),
        new Sight("tablets", server + "/tablets", "flights", "HASH (id) PARTITION 0", "follower"),
        new Sight(
            "tablet",
            server + link(tablets, "(/tablet\\?id=\\w+)\""),
            "Rows inserted",
            "New rows in memory",
            "passenger"),
        new Sight(
            "layout",
            server
                + link(tablets, BUSY + "<a href=\"(/tablet\\?id=\\w+)\"")
                    .replace("/tablet", "/tablet-rowsetlayout-svg"),
            "Average height",
            "Smallest key",
            "<redacted>"),
        new Sight("scans", server + "/scans", SCAN, "<redacted>"),
        new Sight("maintenance", server + "/maintenance-manager", "Candidates", "memory"),
        new Sight("memory", server + "/mem-trackers", "tablets", "MemRowSets", "Of limit"),
        new Sight(
            "page-cache", server + "/page-cache", "of look-ups found their page", "Evictions"),
        new Sight("rpcs", server + "/rpcz", "Write", "TabletServerService", "99.9 %"),
        new Sight("startup", server + "/startup", "Open the tablets", "Start Raft", "has started"),
        new Sight(
            "logs",
            server + "/logs?contains=serves",
            "info",
            "Serving RPC",
            "All servers of this process"),
        new Sight("security", server + "/config", "Proof of servers", "this version has no TLS"),
        new Sight("threads", server + "/stacks", "runnable", "Worked"),
        new Sight("flags", server + "/varz", "--fs_wal_dir", "--redact"),
        new Sight("missing", server + "/tablet?id=nobody", "Not found", "nobody"));
  }

  private static String link(String page, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(page);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  private void look(Sight sight) throws Exception {
    browser.look(DESK);
    await(sight.name + " is shown") // by a later load of the page, if not by this one
        .atMost(Duration.ofMinutes(1))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              browser.open(sight.address);
              assertThat(browser.text()).contains(sight.words);
            });
    picture(sight.name);
    if (browser.ask(CUT_OFF_TABLES).asInt() > 0) {
      cutOff.add(sight.name);
    }
    if (DARK.contains(sight.name)) {
      browser.look(NIGHT);
      picture(sight.name + "-dark");
    }
    browser.look(PHONE);
    picture(sight.name + "-narrow");
    if (browser.ask("document.documentElement.scrollWidth").asInt() > PHONE.width()) {
      tooWide.add(sight.name);
    }
  }

  private void picture(String name) throws Exception {
    byte[] picture = browser.picture();
    assertThat(picture).hasSizeGreaterThan(5_000);
    Files.write(PICTURES.resolve(name + ".png"), picture);
  }
}
