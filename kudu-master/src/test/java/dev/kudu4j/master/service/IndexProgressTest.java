package dev.kudu4j.master.service;

import static j2html.TagCreator.each;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.IndexStatePB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.State;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.TabletPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.pages.MasterPages;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.WebPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The progress of indexes, from the reports of replicas to clients and pages. */
class IndexProgressTest {
  private final FakeCluster cluster = new FakeCluster(3, 11);

  @BeforeEach
  void create() {
    cluster.tables.createTable(
        Requests.create("t", 3, 2).putExtraConfigs("kudu4j.index.by_v", "LOCAL (v)").build(),
        "alice");
    cluster.time.pass(10_000);
  }

  private TableInfo table() {
    return cluster.leadership.session().catalog().tableByName("t");
  }

  private void report(FakeTabletServer server, int indexId, int rowSets, int built) {
    for (TabletInfo tablet : table().tablets()) {
      server.built(tablet.id(), progress(indexId, rowSets, built));
    }
  }

  private static IndexProgressPB progress(int indexId, int rowSets, int built) {
    return IndexProgressPB.newBuilder()
        .setIndexId(indexId)
        .setRowsets(rowSets)
        .setBuiltRowsets(built)
        .setRows(100L * rowSets)
        .setBuiltRows(100L * built)
        .build();
  }

  private List<FakeTabletServer> servers() {
    return List.copyOf(cluster.servers.values());
  }

  private IndexStatePB index() {
    GetIndexProgressResponsePB answer =
        cluster.lookups.getIndexProgress(
            GetIndexProgressRequestPB.newBuilder().setTable(Requests.named("t")).build());
    assertThat(answer.getIndexesList()).hasSize(1);
    return answer.getIndexes(0);
  }

  private void pass() {
    cluster.time.pass(2_000);
  }

  @Test
  void anIndexIsReadyWhenAllReplicasHaveBuiltIt() {
    assertThat(index().getName()).isEqualTo("by_v");
    assertThat(index().getState()).as("nobody has reported it").isEqualTo(State.BUILDING);
    for (FakeTabletServer server : servers()) {
      report(server, 0, 4, server == servers().get(0) ? 3 : 4);
    }
    pass();
    assertThat(index().getState()).isEqualTo(State.BUILDING);
    assertThat(index().getTabletsList())
        .hasSize(2)
        .allSatisfy(
            tablet ->
                assertThat(tablet.toBuilder().clearTabletId().build())
                    .isEqualTo(
                        TabletPB.newBuilder()
                            .setReplicas(3)
                            .setBuiltReplicas(2)
                            .setRowsets(12)
                            .setBuiltRowsets(11)
                            .setRows(1200)
                            .setBuiltRows(1100)
                            .build()));
    assertThat(page()).contains("by_v", "LOCAL (v)", ">building<", ">22<", ">24<");
    report(servers().get(0), 0, 4, 4);
    pass();
    assertThat(index().getState()).isEqualTo(State.READY);
    assertThat(page()).contains(">ready<");
  }

  @Test
  void aNewLeaderCollectsTheReports() {
    servers().forEach(server -> report(server, 0, 1, 1));
    pass();
    assertThat(index().getState()).isEqualTo(State.READY);
    cluster.startMaster();
    cluster.time.pass(10_000);
    assertThat(index().getState()).isEqualTo(State.READY);
  }

  @Test
  void aRebuiltIndexHasANewId() {
    servers().forEach(server -> report(server, 0, 1, 1));
    pass();
    int version = table().schemaVersion();
    cluster.tables.alterTable(Requests.alter("t").addRebuiltIndexes("by_v").build());
    cluster.time.pass(10_000);
    assertThat(table().schemaVersion()).isEqualTo(version + 1);
    assertThat(index().getIndexId()).isEqualTo(1);
    assertThat(index().getState()).as("files of the earlier id").isEqualTo(State.BUILDING);
    assertThat(index().getTablets(0).getRowsets()).isZero();
    servers().forEach(server -> report(server, 1, 1, 1));
    pass();
    assertThat(index().getState()).isEqualTo(State.READY);

    assertThatThrownBy(
            () -> cluster.tables.alterTable(Requests.alter("t").addRebuiltIndexes("none").build()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("The table has no index none");
  }

  @Test
  void impossibleProgressIsRefused() {
    report(servers().get(0), 0, 4, 5);
    pass();
    assertThat(index().getTablets(0).getRowsets()).isZero();
  }

  private String page() {
    MasterPages pages =
        new MasterPages(cluster.leadership, cluster.registered, new FakeMasters(), () -> true);
    for (WebPage page : pages.pages()) {
      if (page.path().equals("/table") && page instanceof WebPage.Html html) {
        Query query = new Query(Map.of("id", List.of(table().id())));
        return each(html.answer().apply(query).body().stream()).render();
      }
    }
    throw new AssertionError("There is no page of a table");
  }
}
