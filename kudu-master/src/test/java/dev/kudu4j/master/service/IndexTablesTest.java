package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.State;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables of global indexes follow their base table, whatever master finishes the work. */
class IndexTablesTest {
  private static final String PROPERTY = "kudu4j.index.i";

  private final FakeCluster cluster = new FakeCluster(3, 7);

  @BeforeEach
  void create() {
    cluster.tables.createTable(
        Requests.create("t", 3, 2).putExtraConfigs(PROPERTY, "GLOBAL (v) BUCKETS 3").build(),
        "alice");
    pass();
  }

  private void pass() {
    cluster.time.pass(10_000);
  }

  private TableInfo table(String name) {
    return cluster.leadership.session().catalog().tableByName(name);
  }

  private static List<ByteString> ids(TableInfo table) {
    return table.tablets().stream().map(tablet -> Ids.toWire(tablet.id())).toList();
  }

  private void sourcesAreTheTablets() {
    assertThat(table("t@i").entry().getDerivation().getSourceTabletIdsList())
        .containsExactlyInAnyOrderElementsOf(ids(table("t")));
  }

  private State state() {
    return cluster
        .lookups
        .getIndexProgress(
            GetIndexProgressRequestPB.newBuilder().setTable(Requests.named("t")).build())
        .getIndexes(0)
        .getState();
  }

  private void report(IndexProgressPB.Builder progress) {
    TableInfo index = table("t@i");
    for (FakeTabletServer server : cluster.servers.values()) {
      for (TabletInfo tablet : index.tablets()) {
        server.built(
            tablet.id(),
            progress
                .setIndexId(index.entry().getDerivation().getIndex().getId())
                .setRowsets(1)
                .build());
      }
    }
    cluster.time.pass(2_000);
  }

  @Test
  void anIndexHasATableOfItsOwn() {
    TableInfo index = table("t@i");
    assertThat(index.tablets()).hasSize(3);
    assertThat(index.tabletsInCreation()).isZero();
    assertThat(index.entry().getOwner()).isEqualTo(table("t").entry().getOwner());
    sourcesAreTheTablets();
    assertThat(cluster.lookups.listTables(ListTablesRequestPB.getDefaultInstance()).getTablesList())
        .extracting(listed -> listed.getName())
        .containsExactly("t");
    assertThat(state()).isEqualTo(State.BUILDING);
    report(IndexProgressPB.newBuilder().setBuiltRowsets(1));
    assertThat(state()).isEqualTo(State.READY);
    assertThatThrownBy(() -> cluster.tables.deleteTable(Requests.delete("t@i")))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_AUTHORIZED));
  }

  @Test
  void anIndexThatIsHashedAsItsTableKnowsTheBucketsOfItsSources() {
    DerivationPB derivation = table("t@i").entry().getDerivation();
    assertThat(derivation.getSourceBucketCount()).isEqualTo(2);
    assertThat(derivation.getSourceBucketsList()).containsExactlyInAnyOrder(0, 1);
    cluster.tables.alterTable(
        Requests.alter("t").putNewExtraConfigs("kudu4j.index.j", "GLOBAL (v) HASH (v)").build());
    pass();
    assertThat(table("t@j").entry().getDerivation().getSourceBucketCount()).isZero();
  }

  @Test
  void aStaleIndexIsBuiltAgain() {
    String before = table("t@i").id();
    report(IndexProgressPB.newBuilder().setStale(true));
    pass();
    assertThat(table("t@i").id()).isNotEqualTo(before);
    sourcesAreTheTablets();
    assertThat(state()).isEqualTo(State.BUILDING);
  }

  @Test
  void anIndexThatCannotHaveARowHasFailed() {
    report(IndexProgressPB.newBuilder().setBuiltRowsets(1).setFailure("a key is too long"));
    assertThat(state()).isEqualTo(State.FAILED);
  }

  @Test
  void namesFollowTheTable() {
    cluster.tables.alterTable(
        Requests.alter("t", Requests.renameColumn("v", "w")).setNewTableName("u").build());
    cluster.crashMaster(); // the next one notices
    pass();
    assertThat(table("t@i")).isNull();
    assertThat(table("u@i").isAltering()).isFalse();
    assertThat(table("u@i").entry().getSchema().getColumns(0).getName()).isEqualTo("w");
  }

  @Test
  void newTabletsWaitForTheIndex() {
    cluster.tables.createTable(
        Requests.create("r", 3, 0, 0, 10).putExtraConfigs(PROPERTY, "GLOBAL (v) BUCKETS 1").build(),
        "alice");
    pass();
    String index = table("r@i").tablets().get(0).id();
    cluster.servers.values().forEach(cluster::kill); // nobody can alter the index
    cluster.tables.alterTable(Requests.alter("r", Requests.addRange(10, 20)).build());
    cluster.time.pass(2_000);
    TabletInfo fresh = table("r").tablets().get(1);
    assertThat(fresh.entry().getAwaitsIndexes()).isTrue();
    assertThat(table("r@i").entry().getDerivation().getSourceTabletIdsList())
        .contains(Ids.toWire(fresh.id()));
    assertThat(index).isEqualTo(table("r@i").tablets().get(0).id());

    cluster.tables.alterTable(Requests.alter("r").putNewExtraConfigs(PROPERTY, "").build());
    cluster.time.pass(2_000);
    assertThat(table("r").tablets())
        .as("without an index there is nothing to wait for")
        .hasSize(2)
        .noneMatch(tablet -> tablet.entry().getAwaitsIndexes());
  }

  @Test
  void rangesComeAndGo() {
    cluster.tables.createTable(
        Requests.create("r", 3, 0, 0, 10).putExtraConfigs(PROPERTY, "GLOBAL (v) BUCKETS 1").build(),
        "alice");
    pass();
    String index = table("r@i").id();
    cluster.tables.alterTable(Requests.alter("r", Requests.addRange(10, 20)).build());
    pass();
    assertThat(table("r").tabletsInCreation()).isZero();
    assertThat(table("r").tablets())
        .hasSize(2)
        .noneMatch(tablet -> tablet.entry().getAwaitsIndexes());
    assertThat(table("r@i").id()).isEqualTo(index);

    cluster.tables.alterTable(Requests.alter("r", Requests.dropRange(0, 10)).build());
    assertThat(table("r@i")).as("nobody sees rows of dropped tablets").isNull();
    pass();
    assertThat(table("r@i").id()).isNotEqualTo(index);
    assertThat(table("r@i").entry().getDerivation().getSourceTabletIdsList())
        .containsExactlyElementsOf(ids(table("r")));
  }

  @Test
  void theTableGoesWithItsBase() {
    cluster.tables.deleteTable(Requests.delete("t"));
    cluster.crashMaster();
    pass();
    assertThat(table("t@i")).isNull();
  }

  @Test
  void theTableGoesWithTheIndex() {
    cluster.tables.alterTable(Requests.alter("t").putNewExtraConfigs(PROPERTY, "").build());
    pass();
    assertThat(table("t@i")).isNull();
    assertThat(table("t").isAltering()).isFalse();
  }
}
