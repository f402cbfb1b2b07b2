package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.common.ColumnSchemaDeltaPB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.tables.ReplicationRules;
import dev.kudu4j.master.tables.TablesOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TableLifeCycleTest {
  private FakeCluster cluster = new FakeCluster(1, 7);

  private boolean isCreated(String name) {
    return cluster
        .tables
        .isCreateTableDone(
            IsCreateTableDoneRequestPB.newBuilder().setTable(Requests.named(name)).build())
        .getDone();
  }

  private boolean isAltered(String name) {
    return cluster
        .tables
        .isAlterTableDone(
            IsAlterTableDoneRequestPB.newBuilder().setTable(Requests.named(name)).build())
        .getDone();
  }

  private List<String> columns(String name) {
    return cluster
        .lookups
        .getTableSchema(GetTableSchemaRequestPB.newBuilder().setTable(Requests.named(name)).build())
        .getSchema()
        .getColumnsList()
        .stream()
        .map(ColumnSchemaPB::getName)
        .toList();
  }

  private List<TabletLocationsPB> locations(String name) {
    return cluster
        .lookups
        .getTableLocations(
            GetTableLocationsRequestPB.newBuilder()
                .setTable(Requests.named(name))
                .setMaxReturnedLocations(1000)
                .setInternTsInfosInResponse(true)
                .build())
        .getTabletLocationsList();
  }

  private List<String> listTableNames(boolean softDeleted) {
    return cluster
        .lookups
        .listTables(ListTablesRequestPB.newBuilder().setShowSoftDeleted(softDeleted).build())
        .getTablesList()
        .stream()
        .map(table -> table.getName())
        .toList();
  }

  private static void assertRefused(
      ThrowingCallable call, MasterErrorPB.Code code, StatusCode status, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> {
              assertThat(MasterException.masterCodeOf(e)).isEqualTo(code);
              assertThat(e.code()).isEqualTo(status);
              assertThat(e).hasMessageContaining(message);
            });
  }

  private void create(CreateTableRequestPB.Builder request) {
    cluster.tables.createTable(request.build(), "alice");
  }

  @Test
  void tableIsReadyAsSoonAsItsTabletsAnswer() {
    create(Requests.create("t", 1, 4));
    assertThat(isCreated("t")).isFalse();
    assertRefused(
        () -> locations("t"),
        MasterErrorPB.Code.TABLET_NOT_RUNNING,
        StatusCode.SERVICE_UNAVAILABLE,
        "is not running yet");
    cluster.time.pass(10); // far less than a heartbeat
    assertThat(isCreated("t")).isTrue();
    assertThat(locations("t"))
        .hasSize(4)
        .allSatisfy(
            location ->
                assertThat(location.getInternedReplicas(0).getRole())
                    .isEqualTo(RaftPeerPB.Role.LEADER));
    assertThat(columns("t")).containsExactly("id", "v");
  }

  @Test
  void tableOfAThousandTabletsIsRecordedInAFewWrites() {
    cluster = new FakeCluster(1, 7, limits(0, 0));
    int before = cluster.store.writes();
    create(Requests.create("t", 1, 1000));
    cluster.time.pass(1_000);
    assertThat(isCreated("t")).isTrue();
    assertThat(locations("t")).hasSize(1000);
    assertThat(cluster.store.writes() - before).isLessThan(100);
  }

  @Test
  void tableSurvivesARestartOfTheMasterWithoutBeingCreatedAgain() {
    create(Requests.create("t", 1, 4));
    cluster.time.pass(10);
    int calls = cluster.calls();
    cluster.crashMaster();
    cluster.time.pass(2_000);
    assertThat(isCreated("t")).isTrue();
    assertThat(cluster.calls()).isEqualTo(calls);
    assertThat(locations("t").get(0).getInternedReplicas(0).getRole())
        .isEqualTo(RaftPeerPB.Role.LEADER);
  }

  @Test
  void refusedCreationIsAnErrorAndTheTableCanBeDeleted() {
    cluster.refuseCreation(StatusCode.IO_ERROR);
    create(Requests.create("t", 1, 2));
    cluster.time.pass(100);
    assertRefused(
        () -> isCreated("t"), MasterErrorPB.Code.UNKNOWN_ERROR, StatusCode.IO_ERROR, "fake");
    cluster.refuseCreation(null);
    cluster.tables.deleteTable(Requests.delete("t"));
    create(Requests.create("t", 1, 2));
    cluster.time.pass(100);
    assertThat(isCreated("t")).isTrue();
    cluster.time.pass(70_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void aReplicaThatAServerRejectsIsCreatedElsewhere() {
    FakeCluster many = new FakeCluster(4, 3);
    many.refuseCreation(StatusCode.IO_ERROR);
    many.tables.createTable(Requests.create("t", 1, 0).build(), "alice");
    many.time.pass(1);
    many.refuseCreation(null);
    many.time.pass(70_000);
    assertThat(many.lookups.listTables(ListTablesRequestPB.getDefaultInstance()).getTables(0))
        .satisfies(table -> assertThat(table.getNumTablets()).isEqualTo(1));
    ClusterChecker.checkSettled(many);
  }

  @Test
  void aReplicaOnASilentServerIsCreatedElsewhere() {
    FakeCluster many = new FakeCluster(4, 5);
    many.servers.values().forEach(server -> server.setSilent(true));
    many.tables.createTable(Requests.create("t", 1, 0).build(), "alice");
    many.time.pass(100);
    String chosen =
        many.leadership
            .session()
            .catalog()
            .tableByName("t")
            .tablets()
            .get(0)
            .config()
            .getPeers(0)
            .getPermanentUuid()
            .toStringUtf8();
    many.servers.values().stream()
        .filter(server -> !server.uuid().equals(chosen))
        .forEach(server -> server.setSilent(false));
    many.time.pass(100_000);
    assertThat(
            many.lookups
                .getTableLocations(
                    GetTableLocationsRequestPB.newBuilder().setTable(Requests.named("t")).build())
                .getTabletLocationsCount())
        .isEqualTo(1);
    many.servers.get(chosen).setSilent(false);
    many.time.pass(100_000);
    ClusterChecker.checkSettled(many);
  }

  @Test
  void aLostTabletIsReplacedAndItsReplicaIsDeletedWhenItsServerReturns() {
    FakeCluster two = new FakeCluster(2, 5);
    two.tables.createTable(Requests.create("t", 1, 4).build(), "alice");
    two.time.pass(1_000);
    TabletInfo lost = two.leadership.session().catalog().tableByName("t").tablets().get(1);
    FakeTabletServer holder =
        two.servers.get(Ids.fromWire(lost.config().getPeers(0).getPermanentUuid()));
    holder.setSilent(true);
    two.time.pass(70_000); // considered dead

    String id =
        Ids.fromWire(
            two.tables.replaceTablet(Requests.replace(lost.id())).getReplacementTabletId());
    two.time.pass(10);
    TabletInfo fresh = two.leadership.session().catalog().tableByName("t").tablets().get(1);
    assertThat(fresh.id()).isEqualTo(id);
    assertThat(fresh.partition()).isEqualTo(lost.partition());
    assertThat(fresh.isRunning()).isTrue();
    assertThat(holder.replicas()).containsKey(lost.id()).doesNotContainKey(id);

    two.crashMaster();
    holder.setSilent(false);
    two.time.pass(100_000);
    assertThat(holder.replicas()).doesNotContainKey(lost.id());
    ClusterChecker.checkSettled(two);
  }

  @Test
  void aTabletThatIsUnknownOrCannotBePlacedIsNotReplaced() {
    assertRefused(
        () -> cluster.tables.replaceTablet(Requests.replace("f".repeat(32))),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.NOT_FOUND,
        "No table has a tablet ffff");
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    var replace =
        Requests.replace(
            cluster.leadership.session().catalog().tableByName("t").tablets().get(0).id());
    FakeTabletServer only = cluster.servers.values().iterator().next();
    only.setSilent(true);
    cluster.time.pass(70_000);
    assertRefused(
        () -> cluster.tables.replaceTablet(replace),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "0 tablet servers take replicas now");
    only.setSilent(false);
    cluster.time.pass(1_000);
    cluster.tables.replaceTablet(replace);
    assertRefused(
        () -> cluster.tables.replaceTablet(replace),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.NOT_FOUND,
        "No table has a tablet");
    cluster.tables.deleteTable(Requests.deleteSoftly("t", 1_000));
    String fresh = cluster.leadership.session().catalog().tableByName("t").tablets().get(0).id();
    assertRefused(
        () -> cluster.tables.replaceTablet(Requests.replace(fresh)),
        MasterErrorPB.Code.TABLE_SOFT_DELETED,
        StatusCode.INVALID_ARGUMENT,
        "recall it");
  }

  @Test
  void invalidReplicationFactorsAreRejectedWithTheirCodes() {
    assertRefused(
        () -> create(Requests.create("t", 0, 0)),
        MasterErrorPB.Code.ILLEGAL_REPLICATION_FACTOR,
        StatusCode.INVALID_ARGUMENT,
        "minimum");
    assertRefused(
        () -> create(Requests.create("t", 2, 0)),
        MasterErrorPB.Code.EVEN_REPLICATION_FACTOR,
        StatusCode.INVALID_ARGUMENT,
        "odd");
    assertRefused(
        () -> create(Requests.create("t", 9, 0)),
        MasterErrorPB.Code.REPLICATION_FACTOR_TOO_HIGH,
        StatusCode.INVALID_ARGUMENT,
        "maximum");
    assertRefused(
        () -> create(Requests.create("t", 3, 0)),
        MasterErrorPB.Code.REPLICATION_FACTOR_TOO_HIGH,
        StatusCode.INVALID_ARGUMENT,
        "not enough live tablet servers");
    assertThat(listTableNames(false)).isEmpty();
  }

  @Test
  void replicasPerServerOfANewTableAreLimited() {
    assertRefused(
        () -> create(Requests.create("t", 1, 5_000)),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "the requested number of tablet replicas is over the maximum permitted at creation time"
            + " (60), additional tablets may be added by adding range partitions to the table"
            + " post-creation");
    assertRefused(
        () -> create(Requests.create("t", 1, 61)),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "(60)");
    create(Requests.create("t", 1, 60));
    cluster = new FakeCluster(3, 7);
    assertRefused(
        () -> create(Requests.create("t", 3, 61)),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "(180)");
    create(Requests.create("t", 3, 60));
  }

  @Test
  void replicasPerServerOfAllTablesAreLimited() {
    cluster = new FakeCluster(1, 7, limits(60, 100));
    create(Requests.create("t", 1, 50, 0, 10));
    create(Requests.create("u", 1, 30, 0, 10));
    assertRefused(
        () -> create(Requests.create("v", 1, 21)),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "21 more tablet replicas would make 101 in all, over the maximum of 100 for each of 1"
            + " live");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("u", Requests.addRange(10, 20)).build()),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "controlled by --max_replicas_per_ts");
    cluster.tables.alterTable(Requests.alter("u", Requests.addColumn("c")).build());
  }

  private static TablesOptions limits(int newReplicas, int replicas) {
    return TablesOptions.DEFAULT.withReplication(
        new ReplicationRules(() -> 3, 1, 7, newReplicas, replicas));
  }

  @Test
  void anExcessiveNumberOfTabletsIsRejectedBeforeAllocation() {
    cluster = new FakeCluster(1, 7, limits(0, 0));
    assertRefused(
        () -> create(Requests.create("t", 1, Integer.MAX_VALUE)),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "maximum permitted");
    create(Requests.create("t", 1, 5_000, 0, 10));
    assertRefused(
        () ->
            cluster.tables.alterTable(
                Requests.alter(
                        "t",
                        Requests.addRange(10, 20),
                        Requests.addRange(20, 30),
                        Requests.addRange(30, 40))
                    .build()),
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "several steps");
  }

  @Test
  void nameInUseIsRefusedAndFreeAgainAfterTheDeletion() {
    create(Requests.create("t", 1, 0));
    assertRefused(
        () -> create(Requests.create("t", 1, 0)),
        MasterErrorPB.Code.TABLE_ALREADY_PRESENT,
        StatusCode.ALREADY_PRESENT,
        "table t already exists with id ");
    cluster.tables.deleteTable(Requests.delete("t"));
    assertRefused(
        () -> columns("t"),
        MasterErrorPB.Code.TABLE_NOT_FOUND,
        StatusCode.NOT_FOUND,
        "does not exist");
    create(Requests.create("t", 1, 0));
    cluster.time.pass(100_000);
    assertThat(isCreated("t")).isTrue();
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void ownerIsTheUserUnlessNamed() {
    create(Requests.create("mine", 1, 0));
    create(Requests.create("hers", 1, 0).setOwner("bea").setComment("kept"));
    var hers =
        cluster.lookups.getTableSchema(
            GetTableSchemaRequestPB.newBuilder().setTable(Requests.named("hers")).build());
    assertThat(hers.getOwner()).isEqualTo("bea");
    assertThat(hers.getComment()).isEqualTo("kept");
    assertThat(
            cluster
                .lookups
                .getTableSchema(
                    GetTableSchemaRequestPB.newBuilder().setTable(Requests.named("mine")).build())
                .getOwner())
        .isEqualTo("alice");
  }

  @Test
  void alterationShowsTheOldSchemaUntilEveryTabletHasTheNewOne() {
    create(Requests.create("t", 1, 2));
    cluster.time.pass(10);
    cluster.tables.alterTable(
        Requests.alter(
                "t",
                Requests.addColumn("a"),
                Requests.renameColumn("v", "w"),
                Requests.addColumn("b"),
                Requests.dropColumn("a"))
            .build());
    assertThat(isAltered("t")).isFalse();
    assertThat(columns("t")).containsExactly("id", "v");
    cluster.time.pass(10);
    assertThat(isAltered("t")).isTrue();
    assertThat(columns("t")).containsExactly("id", "w", "b");
    var schema = cluster.leadership.session().catalog().tableByName("t").entry().getSchema();
    assertThat(schema.getColumnsList().stream().map(ColumnSchemaPB::getId))
        .containsExactly(0, 1, 3);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void alterationStepsAreAllOrNothing() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    assertRefused(
        () ->
            cluster.tables.alterTable(
                Requests.alter("t", Requests.addColumn("a"), Requests.dropColumn("nope")).build()),
        MasterErrorPB.Code.INVALID_SCHEMA,
        StatusCode.NOT_FOUND,
        "The specified column does not exist: nope");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.addColumn("v")).build()),
        MasterErrorPB.Code.INVALID_SCHEMA,
        StatusCode.ALREADY_PRESENT,
        "The column already exists: v");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.dropColumn("id")).build()),
        MasterErrorPB.Code.INVALID_SCHEMA,
        StatusCode.INVALID_ARGUMENT,
        "cannot remove a key column: id");
    assertThat(isAltered("t")).isTrue();
    assertThat(columns("t")).containsExactly("id", "v");
  }

  @Test
  void noColumnGetsAReservedName() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    for (String name : List.of("auto_incrementing_id", "Auto_Incrementing_ID")) {
      for (AlterTableRequestPB.Step step :
          List.of(
              Requests.addColumn(name),
              Requests.renameColumn("v", name),
              Requests.alterColumn(
                  ColumnSchemaDeltaPB.newBuilder().setName("v").setNewName(name)))) {
        assertRefused(
            () -> cluster.tables.alterTable(Requests.alter("t", step).build()),
            MasterErrorPB.Code.INVALID_SCHEMA,
            StatusCode.INVALID_ARGUMENT,
            name + " is a reserved column name");
      }
    }
    assertThat(columns("t")).containsExactly("id", "v");
  }

  /** A version that did not check the name in every step may have stored one. */
  @Test
  void aStoredReservedNameCanBeReplaced() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    cluster.leadership.session().catalog().change(edit -> renameStored(edit, "v"));
    assertThat(listTableNames(false)).containsExactly("t");
    assertThat(columns("t")).containsExactly("id", "auto_incrementing_id");
    cluster.tables.alterTable(
        Requests.alter("t", Requests.renameColumn("auto_incrementing_id", "v")).build());
    cluster.time.pass(2_000);
    assertThat(isAltered("t")).isTrue();
    assertThat(columns("t")).containsExactly("id", "v");
  }

  @Test
  void theNextLeaderReplacesAStoredReservedName() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    cluster.leadership.session().catalog().change(edit -> renameStored(edit, "v"));
    cluster.crashMaster();
    cluster.time.pass(2_000);
    assertThat(listTableNames(false)).containsExactly("t");
    assertThat(isAltered("t")).isTrue();
    assertThat(columns("t")).containsExactly("id", "auto_incrementing_id_1");
  }

  private Void renameStored(CatalogEdit edit, String column) {
    TableInfo table = cluster.leadership.session().catalog().tableByName("t");
    TableEntryPB.Builder entry = table.entry().toBuilder();
    entry.getSchemaBuilder().getColumnsBuilderList().stream()
        .filter(stored -> stored.getName().equals(column))
        .forEach(stored -> stored.setName("auto_incrementing_id"));
    edit.putTable(table.id(), entry.build());
    return null;
  }

  @Test
  void anExistingTableMayHaveMoreColumnsThanANewOne() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    AlterTableRequestPB.Step[] steps =
        IntStream.range(0, 299)
            .mapToObj(i -> Requests.addColumn("c" + i))
            .toArray(AlterTableRequestPB.Step[]::new);
    cluster.tables.alterTable(Requests.alter("t", steps).build());
    cluster.time.pass(2_000);
    assertThat(columns("t")).hasSize(301);
  }

  @Test
  void anEmptyAlterationSucceedsAndChangesNothing() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    int writes = cluster.store.writes();
    cluster.tables.alterTable(Requests.alter("t").build());
    assertThat(isAltered("t")).isTrue();
    assertThat(cluster.store.writes()).isEqualTo(writes);
  }

  @Test
  void newDefaultChangesOnlyTheWriteDefault() {
    create(Requests.create("t", 1, 0));
    ByteString seven = ByteString.copyFrom(new byte[] {7, 0, 0, 0});
    cluster.tables.alterTable(
        Requests.alter(
                "t",
                Requests.alterColumn(
                    ColumnSchemaDeltaPB.newBuilder().setName("v").setDefaultValue(seven)))
            .build());
    cluster.time.pass(2_000);
    ColumnSchemaPB column =
        cluster.leadership.session().catalog().tableByName("t").schemaForClients().getColumns(1);
    assertThat(column.getWriteDefaultValue()).isEqualTo(seven);
    assertThat(column.hasReadDefaultValue()).isFalse();
  }

  /** The published C++ client sends every integer, and a BOOL, as eight bytes. */
  @Test
  void newDefaultMayBeWiderThanItsColumn() {
    create(Requests.create("t", 1, 0));
    ByteString minusTwo = ByteString.copyFrom(new byte[] {-2, -1, -1, -1, -1, -1, -1, -1});
    cluster.tables.alterTable(Requests.alter("t", newDefault(minusTwo)).build());
    cluster.time.pass(2_000);
    assertThat(defaultOfV()).isEqualTo(minusTwo.substring(0, 4));
    ByteString two = ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0, 0, 0, 0});
    cluster.tables.alterTable(Requests.alter("t", newDefault(two)).build());
    cluster.time.pass(2_000);
    assertThat(defaultOfV()).isEqualTo(two.substring(0, 4));
    for (byte[] wrong :
        List.of(
            new byte[] {1, 2, 3},
            new byte[] {0, 0, 0, 0, 1, 0, 0, 0},
            new byte[] {0, 0, 0, -128, 0, 0, 0, 0})) {
      assertRefused(
          () ->
              cluster.tables.alterTable(
                  Requests.alter("t", newDefault(ByteString.copyFrom(wrong))).build()),
          MasterErrorPB.Code.INVALID_SCHEMA,
          StatusCode.INVALID_ARGUMENT,
          "wrong size for default value of column v");
    }
  }

  private static AlterTableRequestPB.Step newDefault(ByteString cell) {
    return Requests.alterColumn(
        ColumnSchemaDeltaPB.newBuilder().setName("v").setDefaultValue(cell));
  }

  private ByteString defaultOfV() {
    return cluster
        .leadership
        .session()
        .catalog()
        .tableByName("t")
        .schemaForClients()
        .getColumns(1)
        .getWriteDefaultValue();
  }

  @Test
  void propertyValuesAreCaseInsensitive() {
    create(Requests.create("t", 1, 0));
    cluster.tables.alterTable(
        Requests.alter("t").putNewExtraConfigs("kudu.table.disable_compaction", "TRUE").build());
    cluster.tables.alterTable(
        Requests.alter("t").putNewExtraConfigs("kudu.table.disable_compaction", "False").build());
    assertRefused(
        () ->
            cluster.tables.alterTable(
                Requests.alter("t")
                    .putNewExtraConfigs("kudu.table.disable_compaction", "no")
                    .build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "unable to parse");
  }

  private Map<String, String> extraConfigs() {
    return cluster.leadership.session().catalog().tableByName("t").entry().getExtraConfigsMap();
  }

  @Test
  void epochsAreSeconds() {
    create(Requests.create("t", 1, 0));
    for (String wrong : new String[] {"-1", "10s", "3000000000"}) {
      assertRefused(
          () ->
              cluster.tables.alterTable(
                  Requests.alter("t").putNewExtraConfigs("kudu4j.epoch_sec", wrong).build()),
          MasterErrorPB.Code.UNKNOWN_ERROR,
          StatusCode.INVALID_ARGUMENT,
          "kudu4j.epoch_sec");
    }
    cluster.tables.alterTable(
        Requests.alter("t").putNewExtraConfigs("kudu4j.epoch_sec", "10").build());
    assertThat(extraConfigs()).containsEntry("kudu4j.epoch_sec", "10");
    cluster.tables.alterTable(
        Requests.alter("t").putNewExtraConfigs("kudu4j.epoch_sec", "").build());
    assertThat(extraConfigs()).isEmpty();
  }

  @Test
  void rangesAreAddedAndDroppedWithTheirTablets() {
    create(Requests.create("t", 1, 2, 0, 10, 20, 30));
    cluster.time.pass(10);
    assertThat(locations("t")).hasSize(4);
    cluster.tables.alterTable(
        Requests.alter("t", Requests.dropRange(0, 10), Requests.addRange(10, 20)).build());
    cluster.time.pass(2_000);
    assertThat(isAltered("t")).isTrue();
    assertThat(locations("t")).hasSize(4);
    assertThat(cluster.servers.values().iterator().next().replicas()).hasSize(4);
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.addRange(15, 25)).build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "new range partition conflicts with existing one: 15 <= VALUES < 25");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.addRange(20, 30)).build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.ALREADY_PRESENT,
        "range partition already exists: 20 <= VALUES < 30");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.dropRange(0, 5)).build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "no range partition to drop: 0 <= VALUES < 5");
    assertRefused(
        () ->
            cluster.tables.alterTable(
                Requests.alter("t", Requests.addRange(40, 50)).clearSchema().build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "schema");
    cluster.time.pass(70_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void renamedTableIsFoundUnderItsNewNameOnly() {
    create(Requests.create("old", 1, 0));
    create(Requests.create("other", 1, 0));
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("old").setNewTableName("other").build()),
        MasterErrorPB.Code.TABLE_ALREADY_PRESENT,
        StatusCode.ALREADY_PRESENT,
        "already exists");
    cluster.tables.alterTable(Requests.alter("old").setNewTableName("new").build());
    cluster.time.pass(1_000);
    assertThat(listTableNames(false)).containsExactlyInAnyOrder("new", "other");
    assertThat(columns("new")).containsExactly("id", "v");
    assertRefused(
        () -> columns("old"), MasterErrorPB.Code.TABLE_NOT_FOUND, StatusCode.NOT_FOUND, "old");
    cluster.crashMaster();
    cluster.time.pass(1_000);
    assertThat(listTableNames(false)).containsExactlyInAnyOrder("new", "other");
  }

  /** A scan that looks for its next tablet gets this error. */
  @Test
  void requestsForADroppedTablesIdReportTheDeletion() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    ByteString id =
        ByteString.copyFromUtf8(cluster.leadership.session().catalog().tableByName("t").id());
    cluster.tables.deleteTable(Requests.delete("t"));
    assertReportedDeleted(id);
    cluster.time.pass(120_000);
    assertThat(cluster.leadership.session().catalog().table(id.toStringUtf8())).isNull();
    assertReportedDeleted(id);
  }

  private void assertReportedDeleted(ByteString id) {
    assertRefused(
        () ->
            cluster.lookups.getTableSchema(
                GetTableSchemaRequestPB.newBuilder().setTable(Requests.withId(id)).build()),
        MasterErrorPB.Code.TABLE_NOT_FOUND,
        StatusCode.NOT_FOUND,
        "was deleted");
  }

  @Test
  void unknownStepIsRefused() {
    create(Requests.create("t", 1, 0));
    assertRefused(
        () ->
            cluster.tables.alterTable(
                Requests.alter("t", AlterTableRequestPB.Step.getDefaultInstance()).build()),
        MasterErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.INVALID_ARGUMENT,
        "UNKNOWN");
  }

  @Test
  void softDeletedTableCanBeReadRecalledAndExpires() {
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    ByteString id =
        ByteString.copyFromUtf8(cluster.leadership.session().catalog().tableByName("t").id());
    cluster.tables.deleteTable(Requests.deleteSoftly("t", 30));
    assertThat(listTableNames(false)).isEmpty();
    assertThat(listTableNames(true)).containsExactly("t");
    assertThat(columns("t")).containsExactly("id", "v");
    assertRefused(
        () -> cluster.tables.alterTable(Requests.alter("t", Requests.addColumn("a")).build()),
        MasterErrorPB.Code.TABLE_SOFT_DELETED,
        StatusCode.INVALID_ARGUMENT,
        "soft deleted");
    assertRefused(
        () -> cluster.tables.deleteTable(Requests.deleteSoftly("t", 5)),
        MasterErrorPB.Code.TABLE_SOFT_DELETED,
        StatusCode.INVALID_ARGUMENT,
        "soft deleted");
    cluster.tables.recallDeletedTable(
        RecallDeletedTableRequestPB.newBuilder()
            .setTable(Requests.withId(id))
            .setNewTableName("back")
            .build());
    cluster.time.pass(60_000);
    assertThat(listTableNames(false)).containsExactly("back");
    cluster.tables.deleteTable(Requests.deleteSoftly("back", 30));
    cluster.time.pass(29_000);
    assertThat(listTableNames(true)).containsExactly("back");
    cluster.time.pass(70_000);
    assertThat(listTableNames(true)).isEmpty();
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void replicaOfAnUnknownTabletIsNotDeleted() {
    FakeTabletServer server = cluster.servers.values().iterator().next();
    create(Requests.create("t", 1, 0));
    cluster.time.pass(10);
    FakeTabletServer.Replica replica = server.replicas().values().iterator().next();
    server.create(
        CreateTabletRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(server.uuid()))
            .setDestInstanceSeqno(1)
            .setTabletId(Ids.toWire("e".repeat(32)))
            .setTableId(Ids.toWire("d".repeat(32)))
            .setSchema(Requests.SCHEMA)
            .setConfig(replica.view.config())
            .build());
    server.restart();
    cluster.time.pass(10_000);
    assertThat(server.replicas()).containsKey("e".repeat(32));
  }

  @Test
  void statisticsComeFromTheLeader() {
    create(Requests.create("t", 1, 3));
    cluster.time.pass(10);
    var size =
        cluster.lookups.getTableStatistics(
            GetTableStatisticsRequestPB.newBuilder().setTable(Requests.named("t")).build());
    assertThat(size.getOnDiskSize()).isEqualTo(3000);
    assertThat(size.getLiveRowCount()).isEqualTo(30);
  }

  @Test
  void silentServerStaysListed() {
    cluster.servers.values().forEach(server -> server.setSilent(true));
    cluster.time.pass(90_000);
    var servers =
        cluster.serverMethods.listTabletServers(ListTabletServersRequestPB.getDefaultInstance());
    assertThat(servers.getServersCount()).isEqualTo(1);
    assertThat(servers.getServers(0).getMillisSinceHeartbeat()).isGreaterThanOrEqualTo(89_000);
    assertRefused(
        () -> create(Requests.create("t", 1, 0)),
        MasterErrorPB.Code.REPLICATION_FACTOR_TOO_HIGH,
        StatusCode.INVALID_ARGUMENT,
        "0 tablet servers are alive");
  }

  @Test
  void aMasterThatDoesNotLeadRejectsRequests() {
    cluster.leadership.following();
    assertRefused(
        () -> listTableNames(false),
        MasterErrorPB.Code.NOT_THE_LEADER,
        StatusCode.ILLEGAL_STATE,
        "not the leader");
    assertThat(connectToMaster().getRole()).isEqualTo(RaftPeerPB.Role.FOLLOWER);
    cluster.leadership.elected();
    assertRefused(
        () -> listTableNames(false),
        MasterErrorPB.Code.NOT_THE_LEADER,
        StatusCode.SERVICE_UNAVAILABLE,
        "loading");
    cluster.time.pass(1);
    assertThat(connectToMaster().getRole()).isEqualTo(RaftPeerPB.Role.LEADER);
    assertRefused(
        () -> columns("kudu_system.kudu_transactions"),
        MasterErrorPB.Code.TABLE_NOT_FOUND,
        StatusCode.NOT_FOUND,
        "kudu_transactions");
  }

  private ConnectToMasterResponsePB connectToMaster() {
    return cluster
        .identity
        .connectToMaster(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))
        .join();
  }
}
