package dev.kudu4j.master.service;

import static j2html.TagCreator.each;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.pages.MasterPages;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.WebPage;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The master's web pages, also for a large cluster. */
class MasterPagesTest {
  private static final int TABLETS = 1_000; // the maximum for fifty servers at the same time

  private final FakeCluster cluster = new FakeCluster(50, 17);
  private final FakeMasters masters = new FakeMasters();
  private final MasterPages pages =
      new MasterPages(cluster.leadership, cluster.registered, masters, () -> true);

  private String page(String path, Map<String, List<String>> query) {
    for (WebPage page : pages.pages()) {
      if (page.path().equals(path) && page instanceof WebPage.Html html) {
        return each(html.answer().apply(new Query(query)).body().stream()).render();
      }
    }
    throw new AssertionError("There is no page " + path);
  }

  private void create(String name, int replicas, int buckets) {
    cluster.tables.createTable(Requests.create(name, replicas, buckets).build(), "alice");
    cluster.time.pass(30_000);
  }

  private static long count(String page, String pattern) {
    return Pattern.compile(pattern).matcher(page).results().count();
  }

  @Test
  void aTableOfAThousandTabletsIsShownInParts() {
    create("large", 3, TABLETS);
    TableInfo table = cluster.leadership.session().catalog().tableByName("large");
    assertThat(table.tablets()).hasSize(TABLETS);
    String first = page("/table", Map.of("id", List.of(table.id())));
    String last = page("/table", Map.of("id", List.of(table.id()), "page", List.of("5")));
    String tables = page("/tables", Map.of());
    assertThat(first).contains("1 to 200 of 1,000", "page=2").contains(table.tablets().get(0).id());
    assertThat(count(first, "class=\"replicas\"")).isEqualTo(200);
    assertThat(last).contains("801 to 1,000 of 1,000").contains(table.tablets().get(999).id());
    assertThat(tables).contains("1,000");
  }

  @Test
  void tablesAreFoundByAPartOfTheirName() {
    create("<i>one</i>", 1, 2);
    create("two", 1, 2);
    assertThat(page("/tables", Map.of())).contains("&lt;i&gt;one&lt;/i&gt;", ">two<");
    assertThat(page("/tables", Map.of("name", List.of("<i>"))))
        .contains("&lt;i&gt;one&lt;/i&gt;", "value=\"&lt;i&gt;\"")
        .doesNotContain(">two<", "<i>");
    assertThat(page("/tables", Map.of("name", List.of("none")))).contains("No table has a name");
  }

  @Test
  void aMissingTableIsReported() {
    assertThatThrownBy(() -> page("/table", Map.of("id", List.of("nobody"))))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
    cluster.leadership.following();
    assertThatThrownBy(() -> page("/tables", Map.of()))
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
  }

  @Test
  void mastersAreShownWithTheirRolesAndPages() {
    masters.others.add(
        FakeMasters.entry('b', "host-b", 8052).toBuilder()
            .setRole(RaftPeerPB.Role.FOLLOWER)
            .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
            .build());
    masters.others.add(
        FakeMasters.entry('c', "host-c", 0).toBuilder()
            .setError(StatusWire.toWire(StatusCode.NETWORK_ERROR, "<i>refused</i>"))
            .build());
    assertThat(page("/masters", Map.of()))
        .contains("href=\"http://host-a:8051/\">host-a:7051<", ">leader<", ">2026-11-21 18:09:30")
        .contains("href=\"http://host-b:8052/\">host-b:7051<", ">follower<", ">non-voter<")
        .contains(">host-c:7051<", ">unreachable<", "c".repeat(32) + ": &lt;i&gt;refused");
    assertThat(count(page("/masters", Map.of()), ">live<")).isEqualTo(2);
  }

  @Test
  void aSingleMasterAndAMasterThatWaitsForOthersAreShown() {
    assertThat(page("/masters", Map.of())).contains("The cluster has this one master.");
    cluster.leadership.following();
    assertThat(page("/masters", Map.of())).contains(">follower<");
    masters.addresses.add(FakeMasters.address("host-b", 7051));
    assertThat(page("/masters", Map.of()))
        .contains("has not joined the others yet", "expected at host-a:7051, host-b:7051.");
  }

  @Test
  void silentServersAreShown() {
    assertThat(page("/tablet-servers", Map.of())).contains(">live<").doesNotContain("silent");
    cluster.servers.values().iterator().next().setSilent(true);
    cluster.time.pass(120_000);
    assertThat(page("/tablet-servers", Map.of())).contains(">silent<", ">live<");
  }
}
