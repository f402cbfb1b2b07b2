package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.IndexStatePB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.State;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A unique index is enforced, checked or given up as the replicas report. */
class UniqueIndexStatesTest {
  private static final String PROPERTY = "kudu4j.index.by_v";
  private static final int ID = 0;

  private final FakeCluster cluster = new FakeCluster(3, 11);

  private void create(String index) {
    var request = Requests.create("t", 3, 2);
    if (!index.isEmpty()) {
      request.putExtraConfigs(PROPERTY, index);
    }
    cluster.tables.createTable(request.build(), "alice");
    cluster.time.pass(10_000);
  }

  private void alter(AlterTableRequestPB.Builder request) {
    cluster.tables.alterTable(request.build());
    cluster.time.pass(10_000);
  }

  private TableInfo table() {
    return cluster.leadership.session().catalog().tableByName("t");
  }

  private List<FakeTabletServer> servers() {
    return List.copyOf(cluster.servers.values());
  }

  private IndexStatePB index() {
    return cluster
        .lookups
        .getIndexProgress(
            GetIndexProgressRequestPB.newBuilder().setTable(Requests.named("t")).build())
        .getIndexes(0);
  }

  /** The server has built the index for all its replicas, and searched them at a state. */
  private void report(FakeTabletServer server, Uniqueness checkedAt, String duplicates) {
    for (TabletInfo tablet : table().tablets()) {
      IndexProgressPB.Builder progress =
          IndexProgressPB.newBuilder().setIndexId(ID).setRowsets(1).setBuiltRowsets(1);
      progress.setCheckedAt(checkedAt.number());
      if (!duplicates.isEmpty()) {
        progress.setDuplicates(duplicates);
      }
      server.built(tablet.id(), progress.build());
    }
  }

  private void pass() {
    cluster.time.pass(10_000);
  }

  @Test
  void anIndexIsEnforcedThenCheckedAgainThenReady() {
    create("");
    alter(Requests.alter("t").putNewExtraConfigs(PROPERTY, "UNIQUE (v, id)"));
    assertThat(index().getState()).isEqualTo(State.BUILDING);
    int version = table().schemaVersion();
    report(servers().get(0), Uniqueness.PREPARING, "");
    pass();
    assertThat(index().getState()).as("not all have built it").isEqualTo(State.BUILDING);
    assertThat(table().schemaVersion()).isEqualTo(version);
    report(servers().get(1), Uniqueness.NOT_UNIQUE, "");
    report(servers().get(2), Uniqueness.NOT_UNIQUE, "");
    pass();
    assertThat(index().getState()).isEqualTo(State.CHECKING);
    assertThat(table().schemaVersion()).as("the tablets must know").isEqualTo(version + 1);
    pass();
    assertThat(index().getState()).as("the check of the earlier state").isEqualTo(State.CHECKING);
    cluster.startMaster();
    pass();
    report(servers().get(2), Uniqueness.ENFORCED, "");
    pass();
    assertThat(index().getState()).isEqualTo(State.READY);
    assertThat(table().schemaVersion()).isEqualTo(version + 2);
    pass();
    assertThat(table().schemaVersion()).isEqualTo(version + 2);
  }

  @Test
  void equalRowsEndTheAttempt() {
    create("");
    alter(Requests.alter("t").putNewExtraConfigs(PROPERTY, "UNIQUE (v, id)"));
    servers().forEach(server -> report(server, Uniqueness.PREPARING, ""));
    pass();
    assertThat(index().getState()).isEqualTo(State.CHECKING);
    report(servers().get(1), Uniqueness.ENFORCED, "two rows have 7");
    pass();
    assertThat(index().getState()).isEqualTo(State.FAILED);
    assertThat(index().getDuplicates()).isEqualTo("two rows have 7");
    alter(Requests.alter("t").putNewExtraConfigs(PROPERTY, ""));
    assertThat(table().entry().getIndexesList()).isEmpty();
  }

  @Test
  void aNewTableHasNothingToCheck() {
    create("UNIQUE (id, v)");
    assertThat(table().entry().getIndexes(0).getUniqueness())
        .isEqualTo(Uniqueness.CHECKED.number());
    servers().forEach(server -> report(server, Uniqueness.NOT_UNIQUE, ""));
    pass();
    assertThat(index().getState()).isEqualTo(State.READY);
  }

  @Test
  void anIndexWithoutAPartitionColumnIsRefused() {
    assertThatThrownBy(() -> create("UNIQUE (v)"))
        .hasMessageContaining("Index by_v")
        .hasMessageContaining("lacks column id");
    create("UNIQUE (id, v)");
    assertThatThrownBy(() -> alter(Requests.alter("t").addRebuiltIndexes("by_v")))
        .hasMessageContaining("Index by_v is unique");
    assertThatThrownBy(
            () -> alter(Requests.alter("t").putNewExtraConfigs(PROPERTY, "LOCAL (id, v)")))
        .hasMessageContaining("an index by_v already, UNIQUE (id, v)");
  }
}
