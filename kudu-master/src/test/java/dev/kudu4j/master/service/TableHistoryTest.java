package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaDeltaPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.Step;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

/**
 * Any history of creations, alterations and deletions, with any fault in between: at the end
 * everything is done or cleanly rejected, nothing is left over, and nothing acknowledged is lost.
 */
class TableHistoryTest {
  private static final int STEPS = 40;

  /** Histories that are the same on every run. */
  @Property(tries = 100, generation = GenerationMode.EXHAUSTIVE)
  void theseHistoriesEndDoneOrRefused(@ForAll @LongRange(min = 150, max = 249) long number) {
    runHistory((number * 0x9E3779B97F4A7C15L) >>> 24);
  }

  @Property(tries = 75)
  void anyHistoryEndsDoneOrRefused(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    runHistory(seed);
  }

  @Property(tries = 5000)
  @Tag("nightly")
  void anyOfManyHistoriesEndsDoneOrRefused(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    runHistory(seed);
  }

  /** Tablets are replaced by empty ones during the history, lost or not. */
  @Property(tries = 30)
  void anyHistoryWithReplacementsEndsDoneOrRefused(
      @ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    Random replaced = new Random(seed);
    endsDoneOrRefused(new History(seed), history -> history.replaceAny(replaced));
  }

  private static void runHistory(long seed) {
    endsDoneOrRefused(new History(seed), history -> {});
  }

  private static void endsDoneOrRefused(History history, Consumer<History> afterStep) {
    for (int i = 0; i < STEPS; i++) {
      history.step();
      afterStep.accept(history);
    }
    history.heal();
    ClusterChecker.checkSettled(history.cluster);
    history.checkNothingAcknowledgedIsLost();
  }

  /**
   * A slow creation takes effect after the deletion, before the server has reported the deletion.
   */
  @Example
  void aReplicaCreatedAgainBeforeItsDeletionIsReportedIsDeleted() {
    runHistory(114845);
  }

  private static final class History {
    final Random random;
    final FakeCluster cluster;
    final List<String> acknowledged = new ArrayList<>();
    final List<String> touched = new ArrayList<>();

    History(long seed) {
      random = new Random(seed);
      cluster = new FakeCluster(List.of(1, 3, 5).get(random.nextInt(3)), seed);
      cluster.setFaultRate(random.nextInt(4) * 0.1);
    }

    void step() {
      if (random.nextInt(6) == 0) {
        cluster.store.failAfterChanges(random.nextInt(4));
      }
      try {
        request();
      } catch (KuduException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
      if (random.nextInt(8) == 0) {
        cluster.crashMaster();
      }
      if (random.nextInt(8) == 0) {
        anyServer().restart();
      }
      if (random.nextInt(8) == 0) {
        FakeTabletServer server = anyServer();
        server.setSilent(!server.isSilent());
      }
      cluster.time.pass(List.of(0, 1, 30, 700, 5_000, 90_000).get(random.nextInt(6)));
    }

    private void request() {
      String name = "t" + random.nextInt(4);
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> create(name);
        case 8 -> rename(name, "t" + random.nextInt(4));
        case 3, 4, 5 -> {
          touched.add(name);
          cluster.tables.alterTable(Requests.alter(name, anyStep(), anyStep()).build());
        }
        case 6 -> {
          forget(name);
          int reserve = random.nextInt(3) * 20;
          cluster.tables.deleteTable(Requests.deleteSoftly(name, reserve));
        }
        default -> recallAny();
      }
    }

    private void create(String name) {
      int replicas = 1 + 2 * random.nextInt((cluster.servers.size() + 1) / 2);
      var request = Requests.create(name, replicas, random.nextInt(2) * 3, 0, 10, 20, 30);
      cluster.tables.createTable(request.build(), "user");
      acknowledged.add(name);
    }

    /** Renames, with another step in the same alteration; the outcome may be unknown. */
    private void rename(String name, String newName) {
      touched.add(name);
      touched.add(newName);
      boolean wasAcknowledged = acknowledged.remove(name);
      try {
        cluster.tables.alterTable(Requests.alter(name, anyStep()).setNewTableName(newName).build());
      } catch (KuduException e) {
        if (wasAcknowledged && e.code() != StatusCode.SERVICE_UNAVAILABLE) {
          acknowledged.add(name);
        }
        throw e;
      }
      if (wasAcknowledged) {
        acknowledged.add(newName);
      }
    }

    private void forget(String name) {
      acknowledged.remove(name);
    }

    private Step anyStep() {
      int column = random.nextInt(4);
      int range = 10 * random.nextInt(5);
      return switch (random.nextInt(6)) {
        case 0 -> Requests.addColumn("c" + column);
        case 5 ->
            Requests.alterColumn(
                ColumnSchemaDeltaPB.newBuilder()
                    .setName("c" + column)
                    .setNewComment("changed " + range));
        case 1 -> Requests.dropColumn("c" + column);
        case 2 -> Requests.renameColumn("c" + column, "c" + random.nextInt(4));
        case 3 -> Requests.addRange(range, range + 10);
        default -> Requests.dropRange(range, range + 10);
      };
    }

    private void recallAny() {
      ListTablesRequestPB softDeleted =
          ListTablesRequestPB.newBuilder().setShowSoftDeleted(true).build();
      for (var table : cluster.lookups.listTables(softDeleted).getTablesList()) {
        ByteString id = table.getId();
        cluster.tables.recallDeletedTable(
            RecallDeletedTableRequestPB.newBuilder().setTable(Requests.withId(id)).build());
        return;
      }
    }

    void replaceAny(Random chosen) {
      try {
        List<TableInfo> tables = List.copyOf(cluster.leadership.session().catalog().tables());
        List<TabletInfo> tablets =
            tables.stream().flatMap(table -> table.tablets().stream()).toList();
        if (!tablets.isEmpty()) {
          cluster.tables.replaceTablet(
              Requests.replace(tablets.get(chosen.nextInt(tablets.size())).id()));
        }
      } catch (KuduException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }

    private FakeTabletServer anyServer() {
      int index = random.nextInt(cluster.servers.size());
      return List.copyOf(cluster.servers.values()).get(index);
    }

    /** Ends all faults, and leaves time to finish. */
    void heal() {
      cluster.store.heal();
      cluster.setFaultRate(0);
      cluster.servers.values().forEach(server -> server.setSilent(false));
      cluster.time.pass(200_000);
    }

    void checkNothingAcknowledgedIsLost() {
      for (String name : acknowledged) {
        TableInfo table = cluster.leadership.session().catalog().tableByName(name);
        assertThat(table).as("acknowledged table %s", name).isNotNull();
      }
    }
  }
}
